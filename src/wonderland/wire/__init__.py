"""What travels between servers and clients: commands, messages, the types of the HTTP API, problems.

This is the only definition of each. The server reads and writes these classes, the terminal client does
too, and the OpenAPI and AsyncAPI documents are generated from them. A newer server may send fields that
a client doesn't know; they are ignored. The tags are public and never change.
"""
