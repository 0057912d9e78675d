"""The directory of a tournament: its plan, its finished games and its results.

`plan.json` is written first. `games.qx` grows by one game at a time; an incomplete game at its
end, left by a crash, is dropped and played again. The other files are written at the end.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import BinaryIO

from quincunx.arena.outcome import Outcome, read_block
from quincunx.arena.schedule import Plan
from quincunx.errors import BadOption
from quincunx.files import write_atomically

if sys.platform != "win32":
    import fcntl

PLAN_FILE, GAMES_FILE, RESULTS_FILE = "plan.json", "games.qx", "results.json"
LOG_FILE = "players.log"


class TournamentDirectory:
    """A tournament on disk, locked by one run at a time; must be closed."""

    def __init__(self, path: str | Path, plan: Plan) -> None:
        self.path = Path(path)
        self.plan = plan
        self.path.mkdir(parents=True, exist_ok=True)
        self._write_or_compare_plan()
        self._lock_file = open(self.path / PLAN_FILE, "rb")  # noqa: SIM115
        self._lock(self._lock_file)
        (self.path / GAMES_FILE).touch()
        self.outcomes = self._read_games()

    @property
    def log(self) -> Path:
        """The file for the output of players."""
        return self.path / LOG_FILE

    def add(self, outcome: Outcome) -> None:
        """Appends a finished game."""
        with open(self.path / GAMES_FILE, "ab", buffering=0) as file:
            file.write(outcome.block(self.plan).encode())
        self.outcomes[outcome.number] = outcome

    def write(self, name: str, text: str | bytes) -> None:
        """Writes a file of the directory atomically."""
        write_atomically(self.path / name, text.encode() if isinstance(text, str) else text)

    def sort(self) -> None:
        """Rewrites the games in the order of their numbers."""
        in_order = (self.outcomes[number] for number in sorted(self.outcomes))
        self.write(GAMES_FILE, self._games_text(in_order))

    def close(self) -> None:
        """Unlocks the directory."""
        self._lock_file.close()

    def _write_or_compare_plan(self) -> None:
        """Writes the plan, or raises BadOption if the directory has a different one.

        The plan of an earlier run may be extended by more games.
        """
        file = self.path / PLAN_FILE
        plan = self.plan.as_dict()
        if not file.exists():
            if any(self.path.glob("*.qx")):
                raise BadOption("out", self.path, f"the directory has games but no {PLAN_FILE}")
            self.write(PLAN_FILE, json.dumps(plan, indent=1) + "\n")
            return
        try:
            stored = json.loads(file.read_bytes())
        except ValueError as error:
            raise BadOption("out", self.path, f"its {PLAN_FILE} cannot be read: {error}") from error
        if _is_extension(stored, plan):
            self._extend(plan)
            return
        differences = _differences(stored, plan)
        if differences:
            raise BadOption(
                "out",
                self.path,
                f"the directory belongs to another run: {differences}; use another directory",
            )

    def _extend(self, plan: Mapping[str, object]) -> None:
        """Writes the plan with more games: the former ones keep their numbers and seeds.

        The lock is on the file that is replaced; `_lock` then takes that of the new one.
        """
        with open(self.path / PLAN_FILE, "rb") as former:
            self._lock(former)
            self.write(PLAN_FILE, json.dumps(plan, indent=1) + "\n")

    def _lock(self, file: BinaryIO) -> None:
        """Locks the directory for this run; raises BadOption if another run has locked it."""
        if sys.platform == "win32":
            return  # without locks there
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.close()
            raise BadOption("out", self.path, "another run is using this directory") from error

    def _read_games(self) -> dict[int, Outcome]:
        """Returns the valid games by number, and removes everything else from the file."""
        text = (self.path / GAMES_FILE).read_bytes().decode("utf-8", errors="replace")
        blocks = re.split(r"(?<=\n\n)(?=\[)", text)
        outcomes: dict[int, Outcome] = {}
        valid_text = ""  # as it was written, maybe by a former version
        for block in blocks:
            outcome = read_block(block, self.plan)
            if outcome is None or not outcome.number < self.plan.total:
                continue
            if outcome.number not in outcomes:
                outcomes[outcome.number] = outcome
                valid_text += block if block.startswith("[") else outcome.block(self.plan)
        if valid_text != text:
            self.write(GAMES_FILE, valid_text)
        return outcomes

    def _games_text(self, outcomes: Iterable[Outcome]) -> str:
        return "".join(outcome.block(self.plan) for outcome in outcomes)


def _is_extension(stored: object, plan: Mapping[str, object]) -> bool:
    """Returns True if a plan differs from the stored one by more games only."""
    if not isinstance(stored, dict) or {**stored, "games": plan["games"]} != plan:
        return False
    before, now = stored.get("games"), plan["games"]
    return isinstance(before, int) and isinstance(now, int) and before < now


def _differences(stored: object, plan: Mapping[str, object]) -> str:
    """Returns the differences between two plans as text; empty if they are equal."""
    if not isinstance(stored, dict):
        return f"its {PLAN_FILE} is not a plan"
    if stored.get("game") != plan["game"]:
        return f"games of {stored.get('game')}"
    differences = []
    for name in dict.fromkeys((*plan, *stored)):
        old, new = stored.get(name), plan.get(name)
        if old == new:
            continue
        if name == "code":
            differences.append("the sources of quincunx or of a player have changed since")
        elif name == "options" and isinstance(old, dict) and isinstance(new, dict):
            differences += [
                f"{key} was {old.get(key)}, now {new.get(key)}"
                for key in dict.fromkeys((*new, *old))
                if old.get(key) != new.get(key)
            ]
        else:
            differences.append(f"{name} was {_value_text(old)}, now {_value_text(new)}")
    return "; ".join(differences)


def _value_text(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
