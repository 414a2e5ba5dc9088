"""Real widgets, offscreen: what a person sees, hears and copies."""
