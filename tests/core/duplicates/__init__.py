"""Tests of core/duplicates."""
