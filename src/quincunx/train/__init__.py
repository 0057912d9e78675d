"""Training: a game's evaluation learns its weights from self-play."""
