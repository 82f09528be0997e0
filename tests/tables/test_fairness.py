"""Fair shuffles: frozen numbers, uniformity, and resuming a play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.paths import ROOT
from wonderland.engine import ChanceSource, UsageError
from wonderland.tables.fairness import (
    VERSION,
    FairChance,
    Secret,
    ServerKey,
    draw_number,
    resume,
    statement,
    validate_contribution,
)

DIGITS = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
SECRET = Secret("tea-party", bytes.fromhex(DIGITS))
ADDED = ["00112233445566778899aabbccddeeff", None, "ff" * 32]
BEGUN = ["- seat1", "1 G3"]
COMMITMENT = "385c09ac188b1142f4c450677ab1c73d414787245f9454714f826f59b64c33b0"
SERVER = "6465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f80818283"
FROZEN = [  # of one FairChance, in this order
    ("start", 3, 0),
    ("card", 66, 28),
    ("card", 65, 23),
    ("card", 64, 60),
    ("card.parade", 63, 56),
    ("spin", 8, 1),
    ("spin", 1, 0),
    ("spin", 8, 3),
    ("space.12", 27, 26),
    ("big", 4294967296, 1508903540),
    ("big", 4294901761, 3061252980),
]


def chance() -> FairChance:
    return FairChance(SECRET, ADDED)


# Frozen forever: changing any of these needs a new version.


def test_the_version_is_frozen() -> None:
    assert VERSION == "hmac-1"


def test_secrets_and_fingerprints_of_a_key_are_frozen() -> None:
    key = ServerKey.from_text(SERVER)
    assert key.fingerprint == "bdaf1bd5011b6c95"
    secret = key.secret("tea-party", "n-1")
    assert secret.reveal() == "6eb6d3f6acb0df422e9786ff64fdff5f67433e939c9bfb48ca2a774f483ba360"
    assert secret.commitment == "d8f608291bd6f30d98f68468391dfe88944596e0fd105f9aff0dee2cadfbc402"


def test_the_commitment_and_the_statement_are_frozen() -> None:
    assert SECRET.commitment == COMMITMENT
    assert SECRET.reveal() == DIGITS
    assert statement(SECRET, ADDED) == (
        f"hmac-1 table=tea-party commitment={COMMITMENT} secret={DIGITS} "
        f"seats=00112233445566778899aabbccddeeff,-,{'ff' * 32}"
    )


def test_the_numbers_are_frozen() -> None:
    source: ChanceSource = chance()
    assert [(label, limit, source.below(limit, label)) for label, limit, _ in FROZEN] == FROZEN


def test_the_documents_show_the_same_numbers() -> None:
    text = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")
    for label, limit, number in FROZEN:
        assert f"| `{label}` | {limit} | {number} |" in text
    assert f"| `card`, from block {REFUSED_AT} on | {OFTEN_REFUSED} | {AFTER_REFUSAL} |" in text
    assert f"`{statement(SECRET, ADDED)}`" in text
    assert f"`{chance()._key.hex()}`" in text
    assert f"`{chance()._block('card', 0).hex()}`" in text
    assert f"`{FairChance(SECRET, ADDED, begun=BEGUN)._key.hex()}`" in text


def test_the_shuffle_of_a_continued_table_is_frozen() -> None:
    source = FairChance(SECRET, ADDED, begun=BEGUN)
    assert source._key.hex() == "15d9a97b31521f1621bcd7f4e3b15278d206faa87263617c7a86957ee1ff43a0"
    assert [source.below(66, "card"), source.below(65, "card")] == [64, 28]
    assert statement(SECRET, ADDED, begun=2) == f"{statement(SECRET, ADDED)} begun=2"


# Inputs of the numbers.


def first_numbers(source: FairChance) -> list[int]:
    return [source.below(1000, label) for label in ("card", "spin") for _ in range(10)]


def test_every_input_of_the_mix_matters() -> None:
    one, two = "ab" * 16, "cd" * 16
    other_secret = Secret("tea-party", bytes(32))
    other_table = Secret("tea-part", bytes.fromhex(DIGITS))
    sources = [
        chance(),
        FairChance(other_secret, ADDED),
        FairChance(other_table, ADDED),
        FairChance(SECRET, []),
        FairChance(SECRET, [None]),
        FairChance(SECRET, [None, None]),
        FairChance(SECRET, [one, two]),
        FairChance(SECRET, [two, one]),
        FairChance(SECRET, [one + two]),
        FairChance(SECRET, [one, None, two]),
        FairChance(SECRET, [one, two, None]),
        FairChance(SECRET, ["00" * 16]),
        FairChance(SECRET, ["00" * 17]),
        FairChance(SECRET, ADDED, begun=BEGUN),
        FairChance(SECRET, ADDED, begun=BEGUN[:1]),
        FairChance(SECRET, ADDED, begun=["- seat1", "- G3"]),
    ]
    found = {tuple(first_numbers(source)) for source in sources}
    assert len(found) == len(sources)
    assert len({other_secret.commitment, other_table.commitment, SECRET.commitment}) == 3


def test_a_secret_belongs_to_one_key_one_table_and_one_nonce() -> None:
    key, other = ServerKey.from_text(SERVER), ServerKey.from_text("0" * 64)
    secrets = [
        key.secret("a", "bc"),
        key.secret("ab", "c"),
        key.secret("a", "b"),
        other.secret("a", "bc"),
    ]
    assert len({secret.reveal() for secret in secrets}) == 4
    assert key.secret("a", "bc").reveal() == secrets[0].reveal()
    assert key.fingerprint != other.fingerprint


def test_labels_have_their_own_streams() -> None:
    alone, mixed = chance(), chance()
    cards = []
    for _ in range(20):
        cards.append(mixed.below(1000, "card"))
        mixed.below(1000, "spin")
    assert [alone.below(1000, "card") for _ in range(20)] == cards


def test_a_certain_outcome_consumes_no_randomness() -> None:
    source = chance()
    assert [source.below(1, "card") for _ in range(5)] == [0] * 5
    assert source.used == {}
    source.below(2, "card")
    assert source.used == {"card": 1}


@pytest.mark.parametrize("limit", [0, -1, 2**32 + 1, 2**64])
def test_limits_out_of_range_are_rejected(limit: int) -> None:
    source = chance()
    with pytest.raises(ValueError, match="the limit must be from 1 to"):
        source.below(limit, "card")
    assert source.used == {}


# Rejection sampling. A 64-bit number is rejected once in 2**32 draws at most: one such draw was
# searched for, and for the other limits blocks are made by hand.

REFUSED_AT = 661_882_073
OFTEN_REFUSED = 2**32 - 65_535
AFTER_REFUSAL = 1_040_563_866


def test_a_rejected_number_is_skipped_and_counted() -> None:
    source = FairChance(SECRET, ADDED, used={"card": REFUSED_AT})
    refused = int.from_bytes(source._block("card", REFUSED_AT)[:8], "big")
    assert refused == 18446744073142937504 >= 2**64 - 2**64 % OFTEN_REFUSED
    following = FairChance(SECRET, ADDED, used={"card": REFUSED_AT + 1})
    assert source.below(OFTEN_REFUSED, "card") == following.below(OFTEN_REFUSED, "card") == AFTER_REFUSAL
    assert source.used == following.used == {"card": REFUSED_AT + 2}
    other = FairChance(SECRET, ADDED, used={"card": REFUSED_AT})
    assert other.below(2**32, "card") == refused % 2**32  # a limit that divides 2**64 rejects nothing
    assert other.used == {"card": REFUSED_AT + 1}


def blocks(*numbers: int) -> Callable[[int], bytes]:
    made = [number.to_bytes(8, "big") + bytes(range(24)) for number in numbers]
    return made.__getitem__


@pytest.mark.parametrize("limit", [2, 3, 6, 66, 2**31, 2**31 + 1, 2**32 - 65535, 2**32])
def test_numbers_in_the_last_incomplete_group_are_rejected(limit: int) -> None:
    full = 2**64 // limit * limit
    assert draw_number(blocks(full - 1), 0, limit) == (limit - 1, 1)
    assert draw_number(blocks(full - limit), 0, limit) == (0, 1)
    for refused in {full, (full + 2**64 - 1) // 2, 2**64 - 1} - {2**64}:
        if refused >= full:
            assert draw_number(blocks(refused, 5 * limit + 1), 0, limit) == (1, 2)
            assert draw_number(blocks(0, refused, refused, refused, limit), 1, limit) == (0, 5)


def test_only_the_first_eight_bytes_count() -> None:
    made = [bytes(7) + b"\5" + bytes([255] * 24), bytes(7) + b"\5" + bytes(24)]
    assert draw_number(made.__getitem__, 0, 6) == draw_number(lambda _: made[1], 0, 6) == (5, 1)


# Uniformity, with a fixed secret, so that these tests are deterministic.


def chi_squared(counts: Counter[int], limit: int) -> float:
    expected = counts.total() / limit
    return sum((counts[number] - expected) ** 2 / expected for number in range(limit))


def quantile(freedom: int, deviation: float) -> float:
    """Quantile of chi-square, by Wilson and Hilferty; 3.09 deviations leave out one in a thousand."""
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + deviation * part**0.5) ** 3)


def is_even(counts: Counter[int], limit: int) -> bool:
    """Neither too uneven, nor too even to be random."""
    found = chi_squared(counts, limit)
    return quantile(limit - 1, -3.09) < found < quantile(limit - 1, 3.09)


@pytest.mark.parametrize("label", ["card", "card.parade", "spin", "space.12"])
@pytest.mark.parametrize("limit", [5, 6, 8, 27, 66, 100, 257])
def test_every_number_is_equally_likely(limit: int, label: str) -> None:
    source = chance()
    assert is_even(Counter(source.below(limit, label) for _ in range(100 * limit)), limit)


def test_draws_and_streams_are_independent() -> None:
    source = chance()
    cards = [source.below(9, "card") for _ in range(8101)]
    spins = [source.below(9, "spin") for _ in range(8101)]
    assert is_even(Counter(a * 9 + b for a, b in pairwise(cards)), 81)
    assert is_even(Counter(a * 9 + b for a, b in zip(cards, spins, strict=True)), 81)


def test_one_contribution_changes_all_numbers_uniformly() -> None:
    sources = (FairChance(SECRET, [f"{n:032x}", "ab" * 16]) for n in range(6600))
    assert is_even(Counter(source.below(66, "card") for source in sources), 66)


def test_large_limits_are_uniform_too() -> None:
    source = chance()
    limit = 3 * 2**30  # with 32 bits instead of 64 the lowest third would come twice as often
    assert is_even(Counter(source.below(limit, "card") * 6 // limit for _ in range(6000)), 6)


def test_the_uniformity_test_detects_a_bias() -> None:
    source = chance()
    assert not is_even(Counter(source.below(256, "card") % 100 for _ in range(10_000)), 100)
    assert not is_even(Counter(n % 66 for n in range(6600)), 66)


# Resuming.


DRAWS = st.lists(
    st.tuples(st.sampled_from(["card", "spin", "space.1"]), st.integers(1, 70)), max_size=40
)


@given(DRAWS, DRAWS)
def test_a_resumed_stream_continues_without_a_gap(
    before: list[tuple[str, int]], after: list[tuple[str, int]]
) -> None:
    whole = chance()
    for label, limit in before:
        whole.below(limit, label)
    again = resume(SECRET, ADDED, before)
    third = FairChance(SECRET, ADDED, used=whole.used)
    assert again.used == whole.used
    numbers = [whole.below(limit, label) for label, limit in after]
    assert [again.below(limit, label) for label, limit in after] == numbers
    assert [third.below(limit, label) for label, limit in after] == numbers
    assert again.used == third.used == whole.used


def test_callers_cannot_change_the_use_counts() -> None:
    source, told = chance(), {"card": 3}
    source.used["card"] = 99
    other = FairChance(SECRET, ADDED, used=told)
    other.below(9, "card")
    assert source.used == {}
    assert told == {"card": 3}


# Rejected arguments.


@pytest.mark.parametrize(
    "text", ["", "-", "ab" * 15, "ab" * 33, "ab" * 16 + "a", "AB" * 16, "xy" * 16, "ab" * 16 + "\n"]
)
def test_a_contribution_is_16_to_32_bytes(text: str) -> None:
    for use in (
        lambda: validate_contribution(text),
        lambda: FairChance(SECRET, [text]),
        lambda: statement(SECRET, [text]),
    ):
        with pytest.raises(UsageError, match="32 to 64 hex digits"):
            use()
    assert validate_contribution("ab" * 16) == "ab" * 16


@pytest.mark.parametrize("table", ["", "a b", "a\0b", "a#", "ü", "a" * 65, "a\n", "a="])
def test_a_table_id_is_a_word(table: str) -> None:
    with pytest.raises(ValueError, match="a table id must be"):
        Secret(table, bytes(32))
    with pytest.raises(ValueError, match="a table id must be"):
        ServerKey.from_text(SERVER).secret(table, "n")


def test_a_nonce_is_printable_and_secrets_and_keys_have_32_bytes() -> None:
    for nonce in ("", "a b", "a\0", "ü", "n" * 129, "n\n"):
        with pytest.raises(ValueError, match="a nonce must be"):
            ServerKey.from_text(SERVER).secret("t", nonce)
    for size in (0, 31, 33):
        with pytest.raises(ValueError, match="must have 32 bytes"):
            Secret("t", bytes(size))
        with pytest.raises(ValueError, match="must have 32 bytes"):
            ServerKey(bytes(size))
