"""Gives every test its own data folder, and lets the app treat games as compiled."""

import pytest


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("QUINCUNX_DATA", str(tmp_path / "data"))
    for module in ("app", "setup_screen"):
        monkeypatch.setattr(f"quincunx.terminal.{module}.is_warm", lambda name: True)
