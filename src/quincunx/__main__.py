"""Runs the command line as `python -m quincunx`."""

from quincunx.cli import main

main()
