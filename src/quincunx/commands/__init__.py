"""The commands, by subject: each parses its arguments, calls the package and prints."""
