"""`python -m quincunx` is the command line."""

from quincunx.cli import main

main()
