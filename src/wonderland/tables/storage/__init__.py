"""Storage of table logs and documents: one interface, implemented for SQLite and PostgreSQL.

Schemas and migrations live here; the meaning of log entries doesn't (`tables/entries.py`).
"""
