"""Changing a store through the same gate its agent passes. No Qt, no SQL."""
