"""Tests of the branch window kernel."""
