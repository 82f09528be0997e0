"""Real reverse proxies with the configuration files of `deploy/`, on free ports of this machine.

Only host names, ports and certificates are replaced, so that the files are tested as they are.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from support.paths import TESTS

DEPLOY = TESTS.parent / "deploy"
NAMES = ("nginx", "haproxy", "caddy")
_PATHS = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))
_START_TIMEOUT = 30.0


class Certificate(NamedTuple):
    """A self-signed certificate for `localhost`, valid for a day."""

    chain: Path
    key: Path
    both: Path


class Proxy(NamedTuple):
    """A running proxy."""

    name: str
    https: int
    http: int

    @property
    def address(self) -> str:
        return f"https://localhost:{self.https}"


def find_program(name: str) -> str | None:
    """Return the path of a program; system administrators' folders may be missing from PATH."""
    return shutil.which(name, path=_PATHS)


def free_port() -> int:
    """Return a port that nobody uses at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def make_certificate(folder: Path) -> Certificate:
    """Create a certificate with OpenSSL."""
    made = Certificate(folder / "chain.pem", folder / "key.pem", folder / "both.pem")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    command += ["-keyout", str(made.key), "-out", str(made.chain)]
    subprocess.run(command, check=True, capture_output=True)
    made.both.write_text(made.chain.read_text() + made.key.read_text())
    return made


@contextmanager
def run_proxy(
    name: str, folder: Path, nodes: Sequence[int], certificate: Certificate
) -> Iterator[Proxy]:
    """Run a proxy in front of nodes until the end of the block."""
    program = find_program(name)
    assert program is not None
    proxy = Proxy(name, free_port(), free_port())
    configured = {"nginx": _nginx, "haproxy": _haproxy, "caddy": _caddy}[name]
    arguments = configured(folder, proxy, nodes, certificate)
    environment = os.environ | {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / f"{name}.log").open("w") as log:
        process = subprocess.Popen([program, *arguments], stdout=log, stderr=log, env=environment)
    try:
        _wait_for(proxy.https, process, folder / f"{name}.log")
        yield proxy
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + _START_TIMEOUT
    while time.monotonic() < end and process.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise AssertionError(f"the proxy did not start: {log.read_text()}")


def _replaced(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text, f"{old!r} is missing from the file"
        text = text.replace(old, new)
    return text


def _at_nodes(nodes: Sequence[int]) -> list[tuple[str, str]]:
    return [(f"127.0.0.1:{8000 + n}", f"127.0.0.1:{port}") for n, port in enumerate(nodes)]


def _nginx(folder: Path, proxy: Proxy, nodes: Sequence[int], certificate: Certificate) -> list[str]:
    live = "/etc/letsencrypt/live/play.example.org"
    site = _replaced(
        (DEPLOY / "nginx" / "wonderland.conf").read_text(),
        *_at_nodes(nodes),
        ("    listen [::]:80;\n", ""),
        ("    listen [::]:443 ssl http2;\n", ""),
        ("listen 80;", f"listen 127.0.0.1:{proxy.http};"),
        ("listen 443 ssl", f"listen 127.0.0.1:{proxy.https} ssl"),
        (f"{live}/fullchain.pem", str(certificate.chain)),
        (f"{live}/privkey.pem", str(certificate.key)),
        ("play.example.org", "localhost"),
        # The client needs the port to compare the origin; in real life it is 443 and not named.
        ("proxy_set_header Host              $host;", "proxy_set_header Host $http_host;"),
    )
    (folder / "site.conf").write_text(site)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user}daemon off;\nworker_processes 1;\npid {folder}/nginx.pid;\nerror_log stderr;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{temporary}include {folder}/site.conf;\n}}\n"
    )
    return ["-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]


def _haproxy(folder: Path, proxy: Proxy, nodes: Sequence[int], certificate: Certificate) -> list[str]:
    text = _replaced(
        (DEPLOY / "haproxy" / "haproxy.cfg").read_text(),
        *_at_nodes(nodes),
        ("bind :80\n", f"bind 127.0.0.1:{proxy.http}\n"),
        ("bind :443 ssl", f"bind 127.0.0.1:{proxy.https} ssl"),
        ("/etc/haproxy/wonderland.pem", str(certificate.both)),
        ("log /dev/log local0", "log stderr local0"),
        ("maxconn 20000", "maxconn 200"),  # a test may not have that many descriptors
    )
    (folder / "haproxy.cfg").write_text(text)
    return ["-db", "-f", str(folder / "haproxy.cfg")]


def _caddy(folder: Path, proxy: Proxy, nodes: Sequence[int], certificate: Certificate) -> list[str]:
    options = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"
    site = f"https://localhost:{proxy.https} {{\n\tbind 127.0.0.1\n"
    tls = f"\ttls {certificate.chain} {certificate.key}"
    text = _replaced(
        (DEPLOY / "caddy" / "Caddyfile").read_text(),
        *_at_nodes(nodes),
        ("play.example.org {", options + site + tls),
    )
    (folder / "Caddyfile").write_text(text)
    return ["run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
