"""How plays of Cookies end, in words: what the page of insights says of them."""

from __future__ import annotations

from wonderland.core.language import phrase

ENDINGS = {
    "all cards played": phrase("All cards are played"),
}
