"""Memories that say the same: near by meaning, equal in text, equal but for what they name."""
