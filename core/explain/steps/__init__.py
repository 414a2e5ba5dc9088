"""How an explanation is told: steps of lines, in pipeline order."""
