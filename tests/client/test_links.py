"""Links as people share them, and the file of remembered tables."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from wonderland.client.credentials import Credentials
from wonderland.client.links import TableLink, read_link, read_server
from wonderland.engine import FileProblem, UsageError


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("http://a:1/tables/t", TableLink("http://a:1", "t")),
        ("  https://A.example/tables/t/#in ", TableLink("https://a.example", "t", "in")),
        ("http://a/tables/t#seat.3.xyz", TableLink("http://a", "t", seat=3, secret="xyz")),  # noqa: S106 - not a real one
        ("http://a/games/tables/t#", TableLink("http://a/games", "t")),
        ("localhost:8000/tables/t", TableLink("http://localhost:8000", "t")),
        ("http://[::1]:80/tables/t#-_9", TableLink("http://[::1]:80", "t", "-_9")),
    ],
)
def test_links_round_trip(text: str, link: TableLink) -> None:
    assert read_link(text) == link
    assert read_link(link.text) == link
    assert "#" not in link.address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "#",
        "parade",
        "http://a/",
        "http://a/tables/",
        "http://a/tables/x/y",
        "ftp://a/tables/t",
        "http:///tables/t",
        "http://a:99999/tables/t",
        "http://a:b/tables/t",
        "http://[/tables/t",
        "http://user@a/tables/t",
        "http://a/tables/t?x=1",
        "http://ä/tables/t",
    ],
)
def test_an_invalid_link_is_reported_without_its_secret(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_link(f"{text}#Secret123")
    assert "Secret123" not in str(refused.value)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("secret", ["two words", "seat.x.y", "seat.1.", "a" * 101, "ä"])
def test_a_truncated_secret_is_rejected_without_being_repeated(secret: str) -> None:
    with pytest.raises(UsageError, match=r"after the # is incomplete") as refused:
        read_link(f"http://a/tables/t#{secret}")
    assert secret not in str(refused.value)


def test_a_server_address_has_no_path_or_query() -> None:
    assert read_server("https://Example.org/") == "https://example.org"
    with pytest.raises(UsageError, match="isn't the address of a server"):
        read_server("http://a?x=y")


def test_the_file_is_private_and_survives_concurrent_writes(tmp_path: Path) -> None:
    path = tmp_path / "there" / "client.json"
    with ThreadPoolExecutor(8) as pool:
        devices = set(pool.map(lambda _: Credentials(path).device("http://a"), range(40)))
        list(
            pool.map(lambda n: Credentials(path).remember_seat(f"http://a/tables/{n % 7}", n), range(40))
        )
    assert len(devices) == 1, "terminals started at the same time share a device"
    memory = Credentials(path)
    assert memory.device("http://b") not in devices, "no server learns another server's secret"
    held = sorted(seat for table in range(7) for seat in memory.seats(f"http://a/tables/{table}"))
    assert held == list(range(40))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    memory.remember_seat("http://a/tables/0", 7)
    assert memory.seats("http://a/tables/0")[0] == 7
    for seat in list(memory.seats("http://a/tables/0")):
        memory.forget("http://a/tables/0", seat)
    assert memory.seats("http://a/tables/0") == []
    memory.remember_name("Alice")
    assert Credentials(path).name == "Alice"


def test_the_number_of_remembered_tables_is_limited(tmp_path: Path) -> None:
    path = tmp_path / "client.json"
    many = {f"http://a/tables/{n}": [0] for n in range(500)}
    path.write_bytes(msgspec.json.encode({"seats": many}))
    Credentials(path).remember_seat("http://a/tables/new", 1)
    assert Credentials(path).seats("http://a/tables/0") == []
    assert Credentials(path).seats("http://a/tables/1") == [0]
    assert Credentials(path).seats("http://a/tables/new") == [1]


def test_an_unusable_file_is_named_and_left_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "client.json"
    path.write_text('{"devices": 3')
    for use in (lambda m: m.device("http://a"), lambda m: m.remember_name("Alice")):
        with pytest.raises(FileProblem, match=r"client\.json is damaged"):
            use(Credentials(path))
    assert path.read_text() == '{"devices": 3'
    with pytest.raises(FileProblem, match=r"can't be read: Is a directory"):
        Credentials(tmp_path).device("http://a")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileProblem, match=r"can't be (read|written): "):
        Credentials(tmp_path / "file" / "client.json").remember_name("Alice")
