"""Runs the tests of the page's modules that need no browser, with Node.js; skipped without it."""

import shutil
import subprocess
from pathlib import Path

import pytest

DIRECTORY = Path(__file__).parent
NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="the tests of the page's modules need node")
@pytest.mark.parametrize(
    "file", sorted(DIRECTORY.glob("*.test.mjs")), ids=lambda file: file.name.split(".")[0]
)
def test_module(file):
    command = [NODE, "--test", "--test-reporter=tap", file]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "\n# tests 0\n" not in result.stdout, f"{file.name} contains no test"
