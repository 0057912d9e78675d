"""The server for play in the browser: HTTP, WebSockets, rate limits and the database."""
