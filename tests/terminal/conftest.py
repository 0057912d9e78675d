"""Every test keeps its unfinished games in a place of its own, and finds games compiled."""

import pytest


@pytest.fixture(autouse=True)
def _own_place(tmp_path, monkeypatch):
    monkeypatch.setenv("QUINCUNX_DATA", str(tmp_path / "data"))
    for module in ("app", "setup_screen"):
        monkeypatch.setattr(f"quincunx.terminal.{module}.is_warm", lambda name: True)
