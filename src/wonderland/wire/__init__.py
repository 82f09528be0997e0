"""The wire protocol: commands, messages, types of the HTTP API, and problems.

This is the single definition of each. The server and the terminal client both use these classes, and the
OpenAPI and AsyncAPI documents are generated from them. Clients ignore unknown fields, which a newer
server may send. Tags are public and never change.
"""
