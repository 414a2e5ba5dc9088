"""The program's own memory: recent stores, queries, preferences, geometry. Never inside a store."""
