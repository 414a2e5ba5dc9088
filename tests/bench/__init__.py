"""Benchmarks: ratios against the peer in one run. Not tests; `make bench` runs them."""
