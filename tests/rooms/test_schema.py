"""The schema has every message with its bounds, and what is generated from it is up to date."""

import runpy
import sys
from pathlib import Path

import pytest

GENERATOR = Path(__file__).parents[2] / "docs" / "protocol" / "generate.py"


@pytest.fixture(scope="module")
def generated():
    """Returns the text of each generated file by its path."""
    sys.path.insert(0, str(GENERATOR.parent))
    try:
        return runpy.run_path(str(GENERATOR))["generated"]()
    finally:
        sys.path.remove(str(GENERATOR.parent))


def test_generated_files_are_up_to_date(generated):
    for path, text in generated.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run `make protocol`"
