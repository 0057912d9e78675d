"""The directory of a tournament: its plan, the games that are over, and the results.

`plan.json` is written first. `games.qx` grows by one game at a time; what a crash left half
written at its end is dropped, and that game is played again. The rest is written at the end.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from quincunx.arena.outcome import Outcome, read_block
from quincunx.arena.schedule import Plan
from quincunx.errors import BadOption
from quincunx.files import write_atomically

if sys.platform != "win32":
    import fcntl

PLAN, GAMES, RESULTS, LOG = "plan.json", "games.qx", "results.json", "players.log"


class TournamentDirectory:
    """A tournament on disk, held by one run at a time; to be closed."""

    def __init__(self, path: str | Path, plan: Plan) -> None:
        self.path = Path(path)
        self.plan = plan
        self.path.mkdir(parents=True, exist_ok=True)
        self._check_plan()
        self._held = open(self.path / PLAN, "rb")  # noqa: SIM115
        self._lock()
        (self.path / GAMES).touch()
        self.outcomes = self._read()

    @property
    def log(self) -> Path:
        """The file for what players print."""
        return self.path / LOG

    def add(self, outcome: Outcome) -> None:
        """Keeps a game."""
        with open(self.path / GAMES, "ab", buffering=0) as file:
            file.write(outcome.block(self.plan).encode())
        self.outcomes[outcome.number] = outcome

    def write(self, name: str, text: str | bytes) -> None:
        """Writes a file of the directory."""
        write_atomically(self.path / name, text.encode() if isinstance(text, str) else text)

    def sort(self) -> None:
        """Writes the games anew in the order of their numbers."""
        in_order = (self.outcomes[number] for number in sorted(self.outcomes))
        self.write(GAMES, self._text(in_order))

    def close(self) -> None:
        """Lets go of the directory."""
        self._held.close()

    def _check_plan(self) -> None:
        """Writes the plan, or compares it with the one that is there; BadOption."""
        file = self.path / PLAN
        wanted = self.plan.as_dict()
        if not file.exists():
            if any(self.path.glob("*.qx")):
                raise BadOption("out", self.path, f"there are games but no {PLAN} in it")
            self.write(PLAN, json.dumps(wanted, indent=1) + "\n")
            return
        try:
            found = json.loads(file.read_bytes())
        except ValueError as error:
            raise BadOption("out", self.path, f"its {PLAN} cannot be read: {error}") from error
        different = _differences(found, wanted)
        if different:
            raise BadOption(
                "out",
                self.path,
                f"other games were begun there: {different}; take another directory",
            )

    def _lock(self) -> None:
        """Holds the directory for this run; BadOption if another one does."""
        if sys.platform == "win32":
            return  # two runs in one directory are not kept apart there
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._held.close()
            raise BadOption("out", self.path, "another run is playing there now") from error

    def _read(self) -> dict[int, Outcome]:
        """The games that are there, each number once; whatever is not sound is removed."""
        text = (self.path / GAMES).read_bytes().decode("utf-8", errors="replace")
        blocks = re.split(r"(?<=\n\n)(?=\[)", text)
        found: dict[int, Outcome] = {}
        for block in blocks:
            outcome = read_block(block, self.plan)
            if outcome is not None and outcome.number < self.plan.total:
                found.setdefault(outcome.number, outcome)
        sound = self._text(found.values())
        if sound != text:
            self.write(GAMES, sound)
        return found

    def _text(self, outcomes: Iterable[Outcome]) -> str:
        return "".join(outcome.block(self.plan) for outcome in outcomes)


def _differences(found: Any, wanted: dict[str, Any]) -> str:
    """What differs between two plans, in words; nothing if they are the same."""
    if not isinstance(found, dict):
        return f"its {PLAN} is none"
    if found.get("game") != wanted["game"]:
        return f"games of {found.get('game')}"
    told = []
    for name in dict.fromkeys((*wanted, *found)):
        there, here = found.get(name), wanted.get(name)
        if there == here:
            continue
        if name == "code":
            told.append("quincunx or a player was changed since")
        elif name == "options" and isinstance(there, dict) and isinstance(here, dict):
            told += [
                f"{key}={there.get(key)} there, {here.get(key)} here"
                for key in dict.fromkeys((*here, *there))
                if there.get(key) != here.get(key)
            ]
        else:
            told.append(f"{name}={_plain(there)} there, {_plain(here)} here")
    return "; ".join(told)


def _plain(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
