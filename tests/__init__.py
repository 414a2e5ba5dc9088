"""Tests, in the shape of the tree they test."""
