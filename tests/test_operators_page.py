"""The page for operators: its configurations are valid, and what it names exists."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from quincunx import cli

PAGE = (Path(__file__).parents[1] / "docs" / "operators.md").read_text(encoding="utf-8")
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin")
SYSTEMD = shutil.which("systemd-analyze")


def block(language):
    """Returns the only example in a language."""
    (text,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return text


@pytest.mark.skipif(NGINX is None, reason="needs nginx")
def test_nginx_accepts_the_configuration(tmp_path):
    file = tmp_path / "nginx.conf"
    site = block("nginx").replace("listen [::]:80;", "")  # not every machine has IPv6
    file.write_text(
        f"pid {tmp_path}/pid; error_log stderr; events {{}}\nhttp {{\naccess_log off;\n{site}}}"
    )
    command = [NGINX, "-t", "-p", tmp_path, "-c", file]
    result = subprocess.run(command, capture_output=True, text=True)
    assert "syntax is ok" in result.stderr, result.stderr


@pytest.mark.skipif(SYSTEMD is None, reason="needs systemd-analyze")
def test_systemd_accepts_the_unit(tmp_path):
    unit = tmp_path / "quincunx.service"
    program = shutil.which("true")
    unit.write_text(block("ini").replace("/opt/quincunx/bin/quincunx", program))
    result = subprocess.run([SYSTEMD, "verify", unit], capture_output=True, text=True)
    complaints = [line for line in result.stderr.splitlines() if "quincunx.service" in line]
    assert complaints == []


@pytest.mark.parametrize("command", ["serve", "admin rooms list", "admin ban"])
def test_options_of_the_page_exist(command):
    help_text = CliRunner().invoke(cli.app, [*command.split(), "--help"]).output
    lines = re.findall(rf"quincunx {command}\b(.*)", PAGE)
    named = {option for line in lines for option in re.findall(r"--[a-z-]+", line)}
    if command == "serve":
        named |= set(re.findall(r"`(--[a-z-]+)[^`]*`", PAGE)) - {"--format", "--days", "--upgrade"}
    assert named
    assert {option for option in named if option not in help_text} == set()


def test_every_metric_is_on_the_page():
    source = (Path(cli.__file__).parent / "web" / "metrics.py").read_text(encoding="utf-8")
    names = re.findall(r'\("(?:quincunx_)?([a-z_]+)", "[A-Z]', source)
    assert len(names) >= 10
    assert [name for name in names if f"quincunx_{name}" not in PAGE] == []
