"""Searching several open stores as one."""
