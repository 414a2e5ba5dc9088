"""The side of the harness that runs inside the peer's environment; never imported by a test."""
