"""Game: rules with options. Its positions are States, in `quincunx.state`.

`import quincunx` imports this module, which therefore must not import numpy.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, cast

from quincunx.contract import (
    KERNEL_NAMES,
    LAYOUT_NAMES,
    NOTATION_NAMES,
    REQUIRED_KERNEL_NAMES,
    Kernel,
    Layout,
    Notation,
    Position,
    RequiredKernel,
    RequiredRules,
    Rules,
    Traits,
)
from quincunx.default_rules import DefaultRules
from quincunx.errors import BadGame, BadOption, BadPosition, IllegalMove
from quincunx.options import Value, checked_seed, resolve_options
from quincunx.phrases import COMMON_TEXTS, Phrase, render, seat_texts
from quincunx.state import State, Step

if TYPE_CHECKING:
    from quincunx.batch import Batch
    from quincunx.buffers import Buffer
    from quincunx.draw.scene import Controls

__all__ = ["Game", "Parts", "State", "Step", "checked_seed"]

MAGIC = b"qx1\n"  # the first bytes of a packed position: name and version of the format


class Parts:
    """The four modules of a game; what kernel and rules do not define is added from the defaults.

    The kernel is a module; the others may be any objects with the contract's names as attributes.
    """

    def __init__(
        self, kernel: RequiredKernel, rules: RequiredRules, notation: Notation, layout: Layout
    ) -> None:
        self.kernel = _completed(kernel)
        self.rules: Rules = DefaultRules(rules, self.kernel)
        self.notation = notation
        self.layout = layout

    def missing_names(self) -> list[str]:
        """Returns what notation and layout lack of the contract's names, such as layout.clicks."""
        required = {"notation": NOTATION_NAMES, "layout": LAYOUT_NAMES}
        return [
            f"{part}.{name}"
            for part, names in required.items()
            for name in names
            if not hasattr(getattr(self, part), name)
        ]


def _completed(kernel: RequiredKernel) -> Kernel:
    """Returns the kernel, after adding what it leaves to the defaults; raises BadGame."""
    if kernel.__name__ == "__main__":
        # The cells of a notebook may define the functions again: a later game needs defaults and
        # searches that call the new ones, and this game keeps its own.
        module = ModuleType(kernel.__name__)
        vars(module).update(vars(kernel))
        kernel = cast(RequiredKernel, module)
    missing = [name for name in REQUIRED_KERNEL_NAMES if not hasattr(kernel, name)]
    if not all(hasattr(kernel, name) for name in ("begin", "advance")):
        missing += [] if hasattr(kernel, "apply") else ["apply"]
    fields = () if missing else kernel.STATE.names or ()
    if not missing and not hasattr(kernel, "scores") and {"winner", "score"}.isdisjoint(fields):
        missing = ["scores, nor a field winner or score from which they could be computed"]
    if missing:
        raise BadGame(kernel.__name__, f"the kernel has no {', '.join(missing)}")
    if not all(hasattr(kernel, name) for name in KERNEL_NAMES):
        # Imported here and not above: it imports numba, which the kernel has imported already.
        from quincunx.defaults import complete

        complete(kernel)
    return cast(Kernel, kernel)


class Game:
    """The rules of one game with a value for every option."""

    def __init__(
        self,
        parts: Parts,
        options: Mapping[str, object] | None = None,
        rules_version: int | None = None,
    ) -> None:
        # Imported here and not above: the parts have imported numpy already.
        from quincunx import buffers

        rules = parts.rules
        self.buffers = buffers
        self.parts = parts
        self.kernel = parts.kernel
        self.name = rules.NAME
        self.title = rules.TITLE
        # From 1; games of another version may replay differently.
        self.rules_version = rules.VERSION if rules_version is None else rules_version
        # The options that were given, the others have their defaults.
        self.given_options: Mapping[str, object] = MappingProxyType(dict(options or {}))
        self.options: Mapping[str, Value] = MappingProxyType(
            resolve_options(rules.NAME, rules.OPTIONS, self.given_options)
        )
        rules.check(self.options)
        self.seats = rules.seats(self.options)

    def configured(self, /, **options: object) -> Game:
        """Returns the same game with some options changed."""
        return Game(self.parts, {**self.given_options, **options}, self.rules_version)

    @property
    def rules_versions(self) -> tuple[int, ...]:
        """The versions of the rules that can be played, ascending: the last one is the newest."""
        rules = self.parts.rules
        return (*rules.OLD_VERSIONS, rules.VERSION)

    def with_rules(self, version: int) -> Game:
        """Returns the same game by a version of its rules; raises BadOption for another one."""
        if version not in self.rules_versions:
            known = " or ".join(map(str, self.rules_versions))
            raise BadOption("rules", version, f"{self.title} is played by rules {known}")
        if version == self.rules_version:
            return self
        return Game(self.parts, self.given_options, version)

    def as_played(self, version: int) -> Game:
        """Returns the same game by the rules of a stored game, if they can still be played.

        Otherwise it is played by the newest rules.
        """
        return self.with_rules(version if version in self.rules_versions else self._newest_rules)

    @property
    def _newest_rules(self) -> int:
        return self.parts.rules.VERSION

    @property
    def changed_options(self) -> dict[str, Value]:
        """The given options whose values differ from their defaults."""
        rules, changed = self.parts.rules, {}
        for name in self.given_options:
            # The default of an option may depend on the others.
            others = {other: v for other, v in self.given_options.items() if other != name}
            if resolve_options(rules.NAME, rules.OPTIONS, others)[name] != self.options[name]:
                changed[name] = self.options[name]
        return changed

    @cached_property
    def actions(self) -> int:
        """The size of the action space: every action is below it."""
        return self.parts.rules.actions(self.options)

    @property
    def planes(self) -> tuple[int, int, int]:
        """The shape of an observation."""
        return self.parts.rules.planes(self.options)

    @property
    def controls(self) -> Controls:
        """The buttons beside the board with these options, and how moves are clicked."""
        layout = self.parts.layout
        of_game = getattr(layout, "controls", None)
        return of_game(self) if of_game else layout.CONTROLS

    @cached_property
    def traits(self) -> Traits:
        """The traits of the game with its options."""
        return self.parts.rules.traits(self.options)

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The English texts of the game's phrases."""
        rules = self.parts.rules
        return MappingProxyType({**COMMON_TEXTS, **seat_texts(rules.SEAT_NAMES), **rules.TEXTS})

    @cached_property
    def kernel_options(self) -> Buffer:
        """The options as the integers passed to the kernel.

        A kernel that plays several versions of the rules gets the version after them.
        """
        rules = self.parts.rules
        codes = [o.code(self.options[o.name]) for o in rules.OPTIONS]
        return self.buffers.integers([*codes, self.rules_version] if rules.OLD_VERSIONS else codes)

    def empty_positions(self, count: int = 1) -> Buffer:
        """Returns an array of `count` positions with all fields zero."""
        return self.buffers.records(self.kernel.STATE, count)

    def start(self, seed: int | None = None) -> State:
        """Returns the initial position; the seed is random if None is given."""
        s = self.empty_positions()[0]
        self.kernel.start(s, self.kernel_options, checked_seed(seed))
        return State(self, s)

    def read(self, text: str, seed: int = 0) -> State:
        """Returns the position of a text; the seed decides what the text leaves to chance."""
        if not isinstance(text, str):
            raise BadPosition(str(text), "expected a string")
        s = self.empty_positions()[0]
        self.kernel.start(s, self.kernel_options, checked_seed(seed))
        self.parts.notation.read(self, text, s)
        return State(self, s)

    def illegal_move(self, move: str, s: Position, reason: Phrase) -> IllegalMove:
        """Returns the error for a move that is illegal in a position."""
        text = self.parts.notation.write(self, s)
        return IllegalMove(move, text, render(reason, self.texts), reason)

    def unpack(self, packed: bytes) -> State:
        """Returns the position that `State.pack` packed, for the same game and options.

        Its game has the version of the rules by which it was played. The checksum detects
        accidental damage only: do not unpack data from untrusted sources.
        """
        if not isinstance(packed, bytes | bytearray | memoryview):
            raise BadPosition(str(packed), "expected bytes")
        packed = bytes(packed)
        # The own version first: it is nearly always the right one.
        versions = sorted(self.rules_versions, key=lambda version: version != self.rules_version)
        games = map(self.with_rules, versions)
        game = next((game for game in games if packed.startswith(game.fingerprint())), None)
        header = self.fingerprint()
        body = packed[len(header) :]
        size = self.kernel.STATE.itemsize
        if game is None or len(body) != size + 4:
            raise BadPosition(
                repr(packed[:24]), f"not a position of {self!r} packed by this version"
            )
        if zlib.crc32(body[:size]).to_bytes(4, "big") != body[size:]:
            raise BadPosition(repr(packed[:24]), "the data is damaged (wrong checksum)")
        return State(game, self.buffers.records_from_bytes(self.kernel.STATE, body[:size])[0])

    def fingerprint(self) -> bytes:
        """Returns the header of packed positions: a hash of game, options and record layout.

        And of the version of the rules, but for the oldest: its positions were packed without it.
        """
        identity: list[object] = [self.name, dict(self.options), str(self.kernel.STATE.descr)]
        if self.rules_version != self.rules_versions[0]:
            identity.append(self.rules_version)
        return MAGIC + zlib.crc32(json.dumps(identity).encode()).to_bytes(4, "big")

    def batch(self, count: int, seed: int | None = None) -> Batch:
        """Returns a batch of `count` new games; game i starts from seed + i."""
        from quincunx.batch import Batch

        return Batch(self, count, checked_seed(seed))

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.changed_options.items())
        newest = self.rules_version == self._newest_rules
        version = "" if newest else f".with_rules({self.rules_version})"
        return f"quincunx.game({self.name!r}{options}){version}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash((self.name, self.rules_version, *self.options.items()))

    @property
    def _identity(self) -> tuple[str, int, Mapping[str, Value]]:
        return self.name, self.rules_version, self.options

    def __reduce__(self) -> tuple[Any, ...]:
        options = {name: self.options[name] for name in self.given_options}
        if self.rules_version == self._newest_rules:
            return _game, (self.name, options)
        return _game, (self.name, options, self.rules_version)


# Pickles refer to _game, _state and _step by name: these names must not change.
def _game(name: str, options: dict[str, Value], rules_version: int | None = None) -> Game:
    from quincunx.registry import game

    configured = game(name, **options)
    return configured if rules_version is None else configured.with_rules(rules_version)


def _state(game: Game, packed: bytes, last: tuple[int, str] | None) -> State:
    state = game.unpack(packed)
    return State(state.game, state.position, last)


def _step(
    game: Game, packed: bytes, last: tuple[int, str], event: str, cells: tuple[str, ...]
) -> Step:
    state = game.unpack(packed)
    return Step(state.game, state.position, last, event, cells)
