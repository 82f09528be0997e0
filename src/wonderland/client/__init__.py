"""The client library for remote tables: links, HTTP calls, and a connection that reconnects by itself.

It has no user interface and makes no decisions; the terminal and other programs build on it. The
protocol is in `wonderland.wire`, documented in docs/tables.md; nothing here depends on the server.
"""
