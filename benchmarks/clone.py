"""Time from a fresh clone to the first page: `make play` in an empty folder.

    python3 benchmarks/clone.py                     this commit
    python3 benchmarks/clone.py HEAD v1 --rounds 3  two commits, in turn

Packages come from pip's cache after the first round, which is not counted.
"""

from __future__ import annotations

# ruff: noqa: S603, S607 - it runs git and make
import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from statistics import median

REPOSITORY = Path(__file__).parent.parent
GIVE_UP = 600.0


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


def seconds_to_first_page(commit: str) -> tuple[float, float]:
    """Return the seconds from `make play` to the first page, and to compiled kernels."""
    folder = Path(tempfile.mkdtemp())
    clone, port = folder / "wonderland", free_port()
    subprocess.run(["git", "clone", "--quiet", str(REPOSITORY), str(clone)], check=True)
    subprocess.run(["git", "-C", str(clone), "checkout", "--quiet", commit], check=True)
    environment = os.environ | {"XDG_DATA_HOME": str(folder / "data")}
    start = time.perf_counter()
    server = subprocess.Popen(
        ["make", "play", f"PORT={port}"],
        cwd=clone,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        while not has_page(port):
            if time.perf_counter() - start > GIVE_UP or server.poll() is not None:
                raise SystemExit(f"make play didn't serve a page at {commit}.")
            time.sleep(0.1)
        page = time.perf_counter() - start
        stamp = clone / ".venv" / "kernels.stamp"
        before_serving = not any("kernels.stamp" in line for line in (clone / "Makefile").open())
        while not (stamp.exists() or before_serving):
            time.sleep(0.1)
        return page, time.perf_counter() - start
    finally:
        os.killpg(server.pid, signal.SIGINT)
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)


def has_page(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def main() -> None:
    parser = argparse.ArgumentParser(description="Time from a fresh clone to the first page.")
    parser.add_argument("commits", nargs="*", default=["HEAD"], help="what to compare (default: HEAD)")
    parser.add_argument("--rounds", type=int, default=1, help="counted rounds (default: 1)")
    options = parser.parse_args()
    times: dict[str, list[tuple[float, float]]] = {commit: [] for commit in options.commits}
    for number in range(options.rounds + 1):
        for commit in options.commits:
            spent = seconds_to_first_page(commit)
            if number > 0 or options.rounds == 0:
                times[commit].append(spent)
            print(f"round {number}, {commit}: {spent[0]:.1f} s", file=sys.stderr)
    print("| commit | first page, s | kernels compiled, s |\n|---|---:|---:|")
    for commit, rounds in times.items():
        page, kernels = (median(each) for each in zip(*rounds, strict=True))
        print(f"| {commit} | {page:.1f} | {kernels:.1f} |")


if __name__ == "__main__":
    main()
