"""What the event log tells: what the agent was shown, what it did next, and when."""
