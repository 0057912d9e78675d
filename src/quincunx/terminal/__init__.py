"""The terminal app, and the plain prompt for pipes and screen readers."""
