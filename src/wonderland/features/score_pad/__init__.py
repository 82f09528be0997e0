"""Score pads for games with real cards, which work offline."""
