"""Play in the browser: rooms on a server, kept on disk, told of over one WebSocket per page."""
