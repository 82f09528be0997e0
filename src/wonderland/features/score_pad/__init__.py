"""Score pads for games with physical cards; they work offline."""
