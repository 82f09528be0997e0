"""The switch on the invitation panel that opens a local server to the home network and closes it."""
