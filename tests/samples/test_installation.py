"""The packages in examples/ are installed in a fresh environment and work there on every surface.

What is checked there is in installed_checks.py. Everything the package needs comes from the
environment of these tests: nothing is downloaded.
"""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import quincunx as qx
from tests.samples.packages import EXAMPLES, NAMES

pytestmark = pytest.mark.heavy  # it takes minutes: the games are compiled again

CHECKS = Path(__file__).with_name("installed_checks.py")


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """Returns the interpreter of a fresh environment with quincunx and the three packages."""
    pytest.importorskip("hatchling", reason="building the packages needs hatchling")
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", str(folder))
    interpreter = folder / "bin" / "python"
    site_packages = run(
        interpreter, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"
    ).strip()
    known = [str(Path(qx.__file__).parents[1]), sysconfig.get_path("purelib"), *sys.path]
    paths = dict.fromkeys(path for path in known if Path(path).is_dir())
    Path(site_packages, "shared.pth").write_text("".join(f"{path}\n" for path in paths))
    install = ("-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index")
    run(interpreter, *install, *(str(EXAMPLES / name) for name in NAMES))
    return str(interpreter)


def run(*command, **variables):
    """Runs a command without PYTHONPATH; returns its output."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=EXAMPLES.parent,
        env={**environment, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **variables},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_command_lists_the_installed_games(python):
    listed = run(python, "-m", "quincunx")
    for name in NAMES:
        assert name in listed


def test_the_installed_games_work_on_every_surface(python, tmp_path):
    # Command, server and tests share the compiled code, but with no other environment.
    compiled = os.environ.get("QUINCUNX_TEST_CACHE", str(tmp_path / "compiled"))
    pytest_command = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
    run(python, *pytest_command, CHECKS, QUINCUNX_TEST_CACHE=compiled)
