"""What the command line can do, by subject: each parses its words and calls the rooms."""
