import os
import stat
from pathlib import Path

import pytest

from quincunx.files import write_atomically


def test_a_new_file_has_the_data_and_the_default_mode(tmp_path: Path) -> None:
    (tmp_path / "usual").write_bytes(b"")
    write_atomically(tmp_path / "x.svg", b"data")
    assert (tmp_path / "x.svg").read_bytes() == b"data"
    assert (tmp_path / "x.svg").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_an_existing_file_keeps_its_mode_and_a_symlink_its_target(tmp_path: Path) -> None:
    old, link = tmp_path / "old", tmp_path / "link"
    old.write_bytes(b"longer than the new one")
    old.chmod(0o600)
    link.symlink_to(old)
    write_atomically(str(link), b"new")
    assert link.is_symlink()
    assert old.read_bytes() == b"new"
    assert stat.S_IMODE(old.stat().st_mode) == 0o600


def test_a_failed_write_keeps_the_old_file_and_leaves_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError("no space left")

    (tmp_path / "x").write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        write_atomically(tmp_path / "x", b"new")
    assert (tmp_path / "x").read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["x"]


def test_a_missing_directory_is_named_in_the_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        write_atomically(tmp_path / "nowhere" / "x", b"data")


def test_a_directory_is_not_overwritten(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match="Is a directory"):
        write_atomically(tmp_path, b"data")


def test_a_device_is_written_directly() -> None:
    write_atomically("/dev/null", b"data")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
