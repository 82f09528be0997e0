"""How plays of Letters end, in words: what the page of insights says of them."""

from __future__ import annotations

from wonderland.core.language import phrase

ENDINGS = {
    "turned": phrase("The last letter is turned up"),
    "claimed after": phrase("The last letters lay open: played after turning a card"),
    "claimed first": phrase("The last letters lay open: played before turning a card"),
}
