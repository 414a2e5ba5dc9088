"""The health of stores as rows that a person can act on; what is looked for in texts."""
