"""The server with the lowest versions of its requirements that pyproject.toml allows."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# The stores, a server with its sockets, and the command line.
TESTS = ("rooms/test_store.py", "web/test_database.py", "web/test_postgres.py", "web/test_serve.py")


def lowest_versions(extra, *names):
    """Returns the requirements of an extra, or those with these names, with == instead of >=."""
    (line,) = re.findall(rf"^{extra} = \[(.*)\]$", (ROOT / "pyproject.toml").read_text(), re.M)
    found = re.findall(r'"([a-z_-]+)(\[\w+\])?>=([0-9.]+)"', line)
    return [f"{name}{more}=={low}" for name, more, low in found if not names or name in names]


def test_all_requirements_of_the_server_have_a_lower_bound():
    names = [re.split(r"[=\[]", requirement)[0] for requirement in lowest_versions("web")]
    assert {"fastapi", "uvicorn", "sqlalchemy", "aiosqlite", "msgspec"} <= set(names)
    assert lowest_versions("scale", "asyncpg")


@pytest.mark.lowest
def test_the_server_works_with_the_lowest_versions(tmp_path):
    """They are installed in a directory that precedes the installed packages."""
    requirements = [*lowest_versions("web"), *lowest_versions("scale", "asyncpg")]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--target", str(tmp_path), *requirements], check=True)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT / 'src'}"}
    # What they warn of is what later versions have changed.
    pytest_command = [sys.executable, "-m", "pytest", "-q", "-W", "default", "-n", "0"]
    files = [str(ROOT / "tests" / name) for name in TESTS]
    run = subprocess.run(
        [*pytest_command, "-p", "no:cacheprovider", *files],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout[-5000:] + run.stderr[-1000:]
