"""The position editor: set up a position from a real table and get advice on what to play."""
