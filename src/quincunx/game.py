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
from quincunx.errors import BadGame, BadPosition, IllegalMove
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

    def __init__(self, parts: Parts, options: Mapping[str, object] | None = None) -> None:
        # Imported here and not above: the parts have imported numpy already.
        from quincunx import buffers

        rules = parts.rules
        self.buffers = buffers
        self.parts = parts
        self.kernel = parts.kernel
        self.name = rules.NAME
        self.title = rules.TITLE
        # The options that were given, the others have their defaults.
        self.given_options: Mapping[str, object] = MappingProxyType(dict(options or {}))
        self.options: Mapping[str, Value] = MappingProxyType(
            resolve_options(rules.NAME, rules.OPTIONS, self.given_options)
        )
        rules.check(self.options)
        self.seats = rules.seats(self.options)

    def configured(self, /, **options: object) -> Game:
        """Returns the same game with some options changed."""
        return Game(self.parts, {**self.given_options, **options})

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

    @property
    def rules_version(self) -> int:
        """The version of the rules, from 1; games of another version may replay differently."""
        return self.parts.rules.VERSION

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
        """The options as the integers passed to the kernel."""
        rules = self.parts.rules
        return self.buffers.integers([o.code(self.options[o.name]) for o in rules.OPTIONS])

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

        The checksum detects accidental damage only: do not unpack data from untrusted sources.
        """
        if not isinstance(packed, bytes | bytearray | memoryview):
            raise BadPosition(str(packed), "expected bytes")
        header = self.fingerprint()
        body = bytes(packed)[len(header) :]
        size = self.kernel.STATE.itemsize
        if not bytes(packed).startswith(header) or len(body) != size + 4:
            raise BadPosition(
                repr(bytes(packed)[:24]), f"not a position of {self!r} packed by this version"
            )
        if zlib.crc32(body[:size]).to_bytes(4, "big") != body[size:]:
            raise BadPosition(repr(bytes(packed)[:24]), "the data is damaged (wrong checksum)")
        return State(self, self.buffers.records_from_bytes(self.kernel.STATE, body[:size])[0])

    def fingerprint(self) -> bytes:
        """Returns the header of packed positions: a hash of game, options and record layout."""
        identity = json.dumps([self.name, dict(self.options), str(self.kernel.STATE.descr)])
        return MAGIC + zlib.crc32(identity.encode()).to_bytes(4, "big")

    def batch(self, count: int, seed: int | None = None) -> Batch:
        """Returns a batch of `count` new games; game i starts from seed + i."""
        from quincunx.batch import Batch

        return Batch(self, count, checked_seed(seed))

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.changed_options.items())
        return f"quincunx.game({self.name!r}{options})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.name == other.name and self.options == other.options

    def __hash__(self) -> int:
        return hash((self.name, *self.options.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _game, (self.name, {name: self.options[name] for name in self.given_options})


# Pickles refer to _game, _state and _step by name: these names must not change.
def _game(name: str, options: dict[str, Value]) -> Game:
    from quincunx.registry import game

    return game(name, **options)


def _state(game: Game, packed: bytes, last: tuple[int, str] | None) -> State:
    return State(game, game.unpack(packed).position, last)


def _step(
    game: Game, packed: bytes, last: tuple[int, str], event: str, cells: tuple[str, ...]
) -> Step:
    return Step(game, game.unpack(packed).position, last, event, cells)
