"""The page verifies the shuffle of a finished game with what the browser has kept, and says so."""

from __future__ import annotations

import hashlib
import hmac
import random
from typing import Any

import msgspec

from support import browser
from support.browser import OpenPage, expect, play_over_http
from support.fair_records import SECRET, SETTINGS, fair_record
from wonderland.client.shuffle import check_record
from wonderland.features.fairness.model import build_proof
from wonderland.web.assets import static

pytestmark = browser.MARKS

_HASHES = """async ([script, samples]) => {
  const { sha256, hmacSha256 } = await import(script);
  const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const hex = (all) => [...all].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const hashes = (key, text) => [sha256(text), hmacSha256(key, text)].map(hex);
  return samples.map(([key, text]) => hashes(bytes(key), bytes(text)));
}"""
_VERIFY = """async ([script, proofs]) => {
  const { verifyShuffle } = await import(script);
  return proofs.map(([proof, commitment, contribution, table, own]) => {
    const kept = { commitment, contributions: [contribution], claimed: [] };
    try {
      return verifyShuffle(proof, kept, table, own).outcomes;
    } catch (error) {
      return error.code;
    }
  });
}"""
_NUMBERS = """async ([script, key, draws]) => {
  const { createStreams } = await import(script);
  const streams = createStreams(Uint8Array.from(key.match(/../g), (pair) => parseInt(pair, 16)));
  streams.taken.set("late", 661882073);
  return draws.map(([label, limit]) => streams.below(limit, label));
}"""


def test_its_hashes_are_those_of_python(open_page: OpenPage) -> None:
    rng = random.Random(256)
    samples = [(rng.randbytes(rng.randrange(1, 140)), rng.randbytes(length)) for length in range(140)]
    found = open_page("/people").evaluate(
        _HASHES, [static("sha256.js"), [[key.hex(), text.hex()] for key, text in samples]]
    )
    assert found == [
        [hashlib.sha256(text).hexdigest(), hmac.digest(key, text, "sha256").hex()]
        for key, text in samples
    ]


def proof_of(record: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(build_proof(record)))


def test_it_verifies_all_games_and_no_forged_one(open_page: OpenPage) -> None:
    """Each proof with the verdict that it must get: a number of outcomes, or what is wrong."""
    own = "01" * 16
    cases: list[tuple[list[Any], Any]] = []
    for name, seats, options in SETTINGS[::2]:
        for begun, take_backs in ((0, 0), (12, 3)) if options else ((1, 0), (0, 4)):
            record = fair_record(name, seats, options, begun=begun, take_backs=take_backs)
            proof = proof_of(record)
            cases.append(([proof, SECRET.commitment, own, "k3v", [0]], check_record(record).outcomes))
            forged = proof_of(record)
            draws = [draw for line in forged["lines"] for draw in line["draws"]]
            chosen = [draw for draw in draws if len(draw["outcomes"]) > 1 and draw["move"] > begun][
                len(draws) // 3
            ]
            chosen["outcome"] = next(word for word in chosen["outcomes"] if word != chosen["outcome"])
            cases.append(([forged, SECRET.commitment, own, "k3v", [0]], "outcome"))
    proof = proof_of(fair_record("parade", 2))
    secret = proof | {"luck": proof["luck"].replace("secret=", "secret=00")[:-2]}
    cases += [
        ([proof, "0" * 64, own, "k3v", [0]], "commitment"),
        ([proof, SECRET.commitment, "ab" * 16, "k3v", [0]], "contribution"),
        ([proof, SECRET.commitment, own, "other", [0]], "unreadable"),
        ([secret, "", own, "k3v", []], "unreadable"),
        ([proof | {"begun": ["- seat1"]}, "", own, "k3v", []], "unreadable"),
        (
            [proof | {"luck": proof["luck"].replace(SECRET.reveal(), "5e" * 32)}, "", own, "k3v", []],
            "secret",
        ),
    ]
    found = open_page("/people").evaluate(_VERIFY, [static("shuffle.js"), [case for case, _ in cases]])
    assert found == [expected for _, expected in cases]


def test_its_numbers_are_those_of_the_documents(open_page: OpenPage) -> None:
    key = "ab30a5f91086f0b386c9bf20842265742b16e0b81fd87870c05820505b4b1c61"
    draws = [["card", 66], ["card", 65], ["card", 1], ["card", 64], ["big", 2**32], ["big", 4294901761]]
    found = open_page("/people").evaluate(_NUMBERS, [static("shuffle.js"), key, draws])
    assert found == [28, 23, 0, 60, 1508903540, 3061252980]


_KEPT = """(change) => {
  const key = Object.keys(localStorage).find((name) => name.startsWith("shuffle."));
  const kept = JSON.parse(localStorage.getItem(key));
  if (change === null) localStorage.removeItem(key);
  else localStorage.setItem(key, JSON.stringify({ ...kept, ...change }));
  return kept;
}"""


def test_a_finished_game_is_verified_by_the_page(open_page: OpenPage) -> None:
    page, spectator = open_page(), open_page()
    form = page.locator('form.choose[data-game="parade"]')
    form.evaluate("form => form.requestSubmit(form.querySelector('button[value=now]'))")
    page.wait_for_url("**/tables/*")
    spectator.goto(page.url)
    expect(spectator.locator("#connection.connected")).to_be_visible()
    play_over_http(page, until=lambda shown: shown["table"]["status"] == "finished")

    box = page.locator("#shuffle")
    expect(box).to_have_attribute("data-state", "verified")
    expect(box.locator("summary")).to_have_text("Shuffle verified")
    box.locator("summary").click()
    kept = page.evaluate(_KEPT, {})
    for code in (kept["commitment"], *kept["contributions"]):
        expect(box.locator("dl")).to_contain_text(code)
    assert len(kept["contributions"]) == 1
    expect(spectator.locator("#shuffle")).to_have_attribute("data-state", "watched")

    for change, reason in (
        ({"commitment": "0" * 64}, "not the one that the table showed"),
        ({"commitment": kept["commitment"], "contributions": ["ab" * 32]}, "for seat 1 is missing"),
    ):
        page.evaluate(_KEPT, change)
        page.reload()
        expect(box.locator(".why")).to_have_attribute("role", "alert")
        expect(box.locator("summary")).to_contain_text("failed the check")
        expect(box).to_contain_text(reason)
        expect(box).not_to_contain_text("Shuffle verified")
    page.evaluate(_KEPT, None)
    page.reload()
    expect(box).to_have_attribute("data-state", "late")

    page.get_by_role("button", name="Rematch").click()
    page.wait_for_function(
        "address => location.href !== address && document.readyState === 'complete'", arg=page.url
    )
    again = page.evaluate(_KEPT, {})
    assert again["commitment"] == page.locator("#table").get_attribute("data-commitment")
    assert len(again["contributions"]) == 1
