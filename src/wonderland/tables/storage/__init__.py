"""Where the logs of tables are kept: one interface, SQLite and PostgreSQL behind it.

An entry counts once it is committed. Schemas and migrations are here; what entries mean is not.
"""
