"""Tests of the search box's language, its filters in a store, and facets."""
