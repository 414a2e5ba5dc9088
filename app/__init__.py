"""Wiring: event loop, controllers, actions, settings, command line."""
