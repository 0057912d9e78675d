"""Rooms in which people and bots play together: events, sessions, the lobby and the messages."""
