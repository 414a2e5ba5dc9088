"""The reference peer as a test oracle: its own environment, a child process, a typed client."""
