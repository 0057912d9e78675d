"""Completion of words by the shell."""

import os
import subprocess
import sys

import pytest

PROGRAM = "import sys; sys.argv[0] = 'quincunx'; from quincunx.cli import main; main()"


def completions(line):
    """Returns what bash offers for the last word of a command line."""
    words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)}
    environment = {**os.environ, **words, "_QUINCUNX_COMPLETE": "complete_bash"}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("quincunx to", ["tournament"]),
        ("quincunx play qu", ["quorum"]),
        ("quincunx bench quorum ono", ["onoro"]),
        ("quincunx perft --div", ["--divide"]),
    ],
)
def test_bash_completes_commands_games_and_options(line, words):
    assert completions(line) == words
