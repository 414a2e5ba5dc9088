"""Tests of changing a store: the ladder, the verbs, committing, the writer."""
