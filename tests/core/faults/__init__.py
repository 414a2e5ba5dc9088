"""Writes when something goes wrong around them: kills, locks, a full disk, other writers."""
