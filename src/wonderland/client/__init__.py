"""A client of the tables that a server serves: links, calls, and a connection that comes back by itself.

It shows nothing and decides nothing; whoever plays at a distant table, a terminal or a program, stands
on it. What goes over the wire is in `wonderland.wire`, described in docs/tables.md; nothing here
knows how a server is built.
"""
