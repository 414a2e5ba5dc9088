"""The agent's own search: query, arms, fusion, ranking."""
