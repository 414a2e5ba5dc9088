"""Helpers of the tests: waiting, watching for what goes wrong unseen, child processes."""
