"""How plays of Parade end, in words: what the page of insights says of them."""

from __future__ import annotations

from wonderland.core.language import phrase

ENDINGS = {
    "sixth colour": phrase("Somebody has taken the sixth colour"),
    "empty pile": phrase("The pile is empty"),
    "sixth colour and empty pile": phrase("Both at once"),
}
