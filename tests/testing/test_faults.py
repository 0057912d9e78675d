"""Every fault that `check_game` finds, planted into an otherwise correct game.

The faults are in Python code, so these tests run without the compiler (`make test-modes`);
`test_compiled_faults.py` has those that only compiled code can have.
"""

from dataclasses import replace
from itertools import count
from random import Random

import numpy as np
import pytest

from quincunx import jit
from quincunx.contract import SCORE
from quincunx.draw.scene import Button, Controls, Path, Piece, Rect
from quincunx.errors import SeveralPieces
from quincunx.options import Option, Preset, Presets
from quincunx.phrases import Phrase
from quincunx.position import reseed
from quincunx.testing import Fault, check_game
from quincunx.testing.play import RandomGame
from tests.testing import naive_race, toy
from tests.testing.toy import race

pytestmark = [
    pytest.mark.modes,
    pytest.mark.skipif(not jit.UNCOMPILED, reason="the planted functions are not compiled"),
]

HIDDEN, OPEN = {"wind": "hidden"}, {"wind": "open"}
NUMBERS = count()


def listing(choose):
    """Returns a `legal` that lists what `choose` makes of the right actions."""

    def legal(s, seat, out):
        n = toy.legal(s, seat, out)
        actions = choose(s, out[:n].tolist()) if n else []
        out[: len(actions)] = actions
        return len(actions)

    return {"legal": legal}


def always(legal_if):
    """Returns a `legal` that lists columns 0 and 1 on a condition, and the right ones otherwise."""

    def legal(s, seat, out):
        if not legal_if(s, seat):
            return toy.legal(s, seat, out)
        out[:2] = 0, 1
        return 2

    return {"legal": legal}


def then(function, change):
    """Returns a kernel function that changes the position after the right one."""

    def changed(s, first, second):
        result = getattr(toy, function)(s, first, second)
        change(s)
        return result

    return {function: changed}


def steps(change):
    """Returns `advance` and `apply` that change the position at the end of a move."""

    def advance(s):
        event = toy.advance(s)
        if event == toy.DONE:
            change(s)
        return event

    def apply(s, seat, action):
        toy.begin(s, seat, action)
        while advance(s):
            pass

    return {"advance": advance, "apply": apply}


def keyed(key):
    """Returns functions of a game with another key."""

    def record(s):
        s.seen[s.ply % 64] = key(s)

    def read(game, text, s):
        toy.read(game, text, s)
        record(s)

    return {"key": key, "read": read, **then("start", record), **steps(record)}


def setting(**fields):
    """Returns a change of a position."""

    def change(s):
        for name, value in fields.items():
            s[name] = value(s) if callable(value) else value

    return change


def scoring(result):
    """Returns a `scores` that writes what `result` makes of the right scores."""

    def scores(s, out):
        toy.scores(s, out)
        out[:] = result(s, out.tolist())

    return {"scores": scores}


def shapes(change):
    """Returns a `scene` with changed shapes."""

    def scene(state, view):
        right = toy.scene(state, view)
        return replace(right, shapes=tuple(change(state, view, [*right.shapes])))

    return {"scene": scene}


def declaring(**changes):
    """Returns `traits` with changes."""
    return {"traits": lambda options: replace(toy.traits(options), **changes)}


def repeated(s):
    """Returns True for a draw by repetition."""
    return bool(s.over) and s.winner == toy.NOBODY


def unseeded_start(s, options, seed):
    toy.start(s, options, next(NUMBERS))


def leaking_hide(s, seat, seed):
    reseed(s, seed)
    s.wind = 1 - s.wind


def unfinished_restore_read(game, text, s):
    toy.read(game, text, s)
    s.over, s.winner = 0, toy.NOBODY


def unrestored_read(game, text, s):
    toy.read(game, text, s)
    s.over, s.winner = 0, toy.NOBODY
    game.kernel.restore(s)


# A field that decides about the end, which `restore` sets to 0 and `start` to 1.
def endable_start(s, options, seed):
    toy.start(s, options, seed)
    s.seen[60] = 1


def end_if_endable(s):
    if s.winner != toy.NOBODY and not s.seen[60]:
        s.over, s.winner = 0, toy.NOBODY


def late_two(s, seat):
    return 2.0 if s.tokens[0] == 1 else toy.evaluate(s, seat)


def late_two_values(scratch, seat, moves, values):
    n = toy.legal(scratch[0], seat, moves)
    for i in range(n):
        scratch[1] = scratch[0]
        toy.apply(scratch[1], seat, moves[i])
        values[i] = late_two(scratch[1], seat)
    return n


def write_unless(wrong):
    """Returns a `write` that finds several pieces on a cell where a position is wrong."""

    def write(game, s):
        if wrong(s):
            raise SeveralPieces("a1")
        return toy.write(game, s)

    return {"write": write}


def misread(game, text, s):
    toy.read(game, text.replace("b", "a", 1), s)


def windy_read(game, text, s):
    toy.read(game, text, s)
    s.wind = text[-1] == "1"


def capturing_begin(s, seat, action):
    if action == 2:
        s.tokens[1 - seat] = 0
    return toy.begin(s, seat, action)


def capturing_apply(s, seat, action):
    capturing_begin(s, seat, action)
    while toy.advance(s):
        pass


def careless_read(game, text, s):
    if text != "?!":
        toy.read(game, text, s)


def strict_read(game, text, s):
    toy.read(game, "?" + text if "c" in text else text, s)


def crashing_read(game, text, s):
    int(text[0], 36)
    toy.read(game, text, s)


def careless_parse(game, s, text):
    return toy.parse_move(game, s, "b1" if text == "?!" else text)


def strict_parse(game, s, text):
    return toy.parse_move(game, s, text.replace("c", "?"))


def swapped_parse(game, s, text):
    return 4 - toy.parse_move(game, s, text)


def stepless_paths(before, step, flip):
    return [Path("token7", "token7", ((0, 0), (1, 1)))] if step.event else []


def crashing_scene(state, view):
    if view.flip:
        raise KeyError("flip")
    return toy.scene(state, view)


def out_of_box(condition):
    """Returns a `scene` with one shape outside if the view fulfils a condition."""
    outside = Rect(5, 0, 1, 1, "shade", "line")
    return shapes(lambda state, view, old: old + [outside] * condition(view))


FULL = Preset("full", "no draws by repetition", {"repetition": 0})


class AcceptingOption(Option):
    """An option without bounds."""

    def check(self, value):
        return value

    def code(self, value):
        return 0


# The faults that only the comparison with a naive implementation can find.
COMPARED = {"an illegal action", "a missing action", "other rules", "an early end"}

FAULTS = {
    # What legal lists.
    "an illegal action": (
        listing(lambda s, right: sorted({*right, int(s.tokens[s.turn])})),
        "legal", "lists an action that the rules forbid",
    ),
    "a missing action": (
        listing(lambda s, right: right[-1:]),
        "legal", "does not list an action that the rules allow",
    ),
    "descending actions": (listing(lambda s, right: right[::-1]), "legal", "out of order"),
    "an action twice": (listing(lambda s, right: right[:1] * 2), "legal", "lists an action twice"),
    "an action out of range": (listing(lambda s, right: [99]), "legal", "actions out of range"),
    "more than MAX_LEGAL": ({"MAX_LEGAL": 1}, "legal", "raises an IndexError"),
    "a wrong number": ({"legal": lambda s, seat, out: 3}, "legal", "returns a wrong number"),
    "a list of actions": ({"legal": lambda s, seat, out: [1]}, "legal", "not return an integer"),
    "actions after the end": (
        always(lambda s, seat: s.over), "legal", "lists actions after the end of the game",
    ),
    "actions of the other seat": (
        always(lambda s, seat: seat != s.turn), "legal", "for a seat that is not to move",
    ),
    "no actions": (
        listing(lambda s, right: right if s.tokens[0] < 2 else []),
        "legal", "lists no action before the end of the game",
    ),
    "actions within a move": (
        always(lambda s, seat: s.stage), "legal", "lists actions in the middle of a move",
    ),
    "legal that writes the position": (
        then("legal", setting(direction=1)), "legal", "changes the position",
    ),
    "legal at random": (
        listing(lambda s, right: right[:1] if next(NUMBERS) % 2 else right),
        "legal", "gives different results for the same position",
    ),
    "is_legal": (
        {"is_legal": lambda s, seat, action: abs(action - s.tokens[seat]) == 1},
        "is_legal", "does not agree with legal",
    ),
    "sample": (
        {"sample": lambda s, seat, out, bits: 0 if s.tokens[seat] else 1},
        "sample", "chooses another action than declared",
    ),
    "a pass that is not legal": ({"PASS": 0}, "rules.PASS", "is not always legal"),
    # Playing.
    "apply with numpy's generator": (
        then("apply", lambda s: setting(wind=np.random.randint(99))(s)),
        "apply", "gives different results for the same position",
    ),
    "apply with a global counter": (
        then("apply", lambda s: setting(direction=next(NUMBERS) % 99)(s)),
        "apply", "gives different results for the same position",
    ),
    "ply": (steps(setting(ply=lambda s: s.ply - 1)), "apply", "does not count the ply"),
    "stage": (then("apply", setting(stage=2)), "apply", "does not complete the move"),
    "steps": (then("apply", setting(direction=1)), "apply", "differs from begin and advance"),
    "an unknown event": (
        {"begin": lambda s, seat, action: toy.begin(s, seat, action) + 7},
        "begin", "returns an unknown event",
    ),
    "endless steps": ({"advance": lambda s: toy.MOVED}, "advance", "does not end a move"),
    "start with a counter": ({"start": unseeded_start}, "start", "not depend on the seed", OPEN),
    "start at the end": (then("start", setting(over=1)), "start", "does not begin a game"),
    "other rules": (
        {"begin": capturing_begin, "apply": capturing_apply},
        "apply", "leads to another position than the rules",
    ),
    "an early end": (
        steps(lambda s: setting(over=1)(s) if s.ply == 3 else None),
        "over", "ends the game too early", {"repetition": 0},
    ),
    # Texts.
    "a text that is read as another": ({"read": misread}, "notation.read", "does not read back"),
    "a text that is rejected": ({"read": strict_read}, "notation.read", "rejects the text of a"),
    "a text without the turn": (
        {"write": lambda game, s: toy.write(game, s).replace("b -", "w -")},
        "notation.write", "loses what the rules need",
    ),
    "a text without the wind": (
        {"write": lambda game, s: toy.write(game, s)[:-1] + "0", **declaring(random_start=False)},
        "notation.write", "loses what the rules need", OPEN,
    ),
    "a text of two lines": (
        {"write": lambda game, s: toy.write(game, s).replace(" ", "\n")},
        "notation.write", "is not one line",
    ),
    "read that accepts anything": (
        {"read": careless_read}, "notation.read", "does not reject '?!'",
    ),
    "read that crashes": ({"read": crashing_read}, "notation.read", "does not reject '?!'"),
    "write that crashes": (
        {"write": lambda game, s: {}["text"]}, "notation.write", "raises a KeyError",
    ),
    "two moves with one text": (
        {"format_move": lambda game, s, action: "b1"},
        "notation.format_move", "gives two moves the same text",
    ),
    "a move of two words": (
        {"format_move": lambda game, s, action: f"{action} {s.turn}"},
        "notation.format_move", "is not one word",
    ),
    "a move that is read as another": (
        {"parse_move": swapped_parse}, "notation.parse_move", "does not read back the text",
    ),
    "a move that is rejected": (
        {"parse_move": strict_parse}, "notation.parse_move", "rejects the text of a legal move",
    ),
    "any move is accepted": (
        {"parse_move": careless_parse}, "notation.parse_move", "does not reject '?!'",
    ),
    # Hidden information.
    "observe shows the wind": (
        {"observe": lambda s, seat, planes: planes.fill(s.wind)},
        "observe", "shows hidden information", HIDDEN,
    ),
    "evaluate shows the wind": (
        {"evaluate": lambda s, seat: s.wind / 2}, "evaluate", "shows hidden information", HIDDEN,
    ),
    "the text shows the wind": (
        {"write": lambda game, s: toy.write(game, s)[:-1] + str(s.wind), "read": windy_read,
         **declaring(random_start=True)},
        "notation.write", "shows hidden information", HIDDEN,
    ),
    "the status shows the wind": (
        {"status": lambda game, s: Phrase("won" if s.wind else "play", {"seat": 0}),
         "TEXTS": toy.TEXTS | {"won.you": "You win"}},
        "rules.status", "shows hidden information", HIDDEN,
    ),
    "the picture shows the wind": (
        shapes(lambda state, view, old: old[: -1 if state.position.wind else None]),
        "layout.scene", "shows hidden information", HIDDEN,
    ),
    "legal shows the wind": (
        listing(lambda s, right: right[:1] if s.wind else right),
        "legal", "shows hidden information", HIDDEN,
    ),
    "hide keeps what is hidden": (
        {"hide": leaking_hide}, "hide", "depends on hidden information", HIDDEN,
    ),
    "hide passes the turn": (
        then("hide", setting(turn=lambda s: 1 - s.turn)), "hide", "changes the header",
    ),
    "hide at random": (
        then("hide", lambda s: setting(rng=next(NUMBERS))(s)), "hide", "for the same seed",
    ),
    # Results.
    "scores that change after the end": (
        then("hide", lambda s: setting(winner=1 - s.winner)(s) if s.winner >= 0 else None),
        "scores", "changes after the end of the game",
    ),
    "scores against winner": (
        scoring(lambda s, right: right[::-1]), "scores", "does not agree with winner",
    ),
    "scores that are not a result": (
        scoring(lambda s, right: [2.0 * score for score in right]),
        "scores", "does not agree with winner",
    ),
    "scores of infinity": (
        scoring(lambda s, right: [np.inf, 0.0]), "scores", "numbers that are not finite",
    ),
    "scores at random": (
        scoring(lambda s, right: [next(NUMBERS), 0]), "scores", "gives different results",
    ),
    "a winner before the end": (
        steps(setting(winner=1)), "winner", "is set before the end", {"repetition": 0},
    ),
    "a winner that is not a seat": (steps(setting(winner=2)), "winner", "has a wrong value"),
    "over after reading": (
        {"read": unfinished_restore_read}, "notation.read", "does not end the game",
    ),
    "a restore that does nothing": (
        {"restore": lambda s: None, "read": unrestored_read}, "restore", "does not end the game",
    ),
    "a restore that forgets a field": (
        {"start": endable_start, **steps(end_if_endable)},
        "restore", "does not compute what decides about the end",
    ),
    "several pieces after a move": (
        write_unless(lambda s: s.tokens[1] == 1), "apply", "puts several pieces on a cell",
    ),
    "several pieces at the start": (
        write_unless(lambda s: True), "start", "puts several pieces on a cell",
    ),
    "evaluation of two after a move": (
        {"evaluate": late_two, "one_ply_values": late_two_values}, "evaluate", "is out of range",
    ),
    "evaluation for nobody": (
        {"evaluate": lambda s, seat: 0.5}, "evaluate", "ignores the seat",
    ),
    "a turn of a third seat": (steps(setting(turn=2)), "turn", "has a wrong value"),
    "evaluation of two": ({"evaluate": lambda s, seat: 2.0}, "evaluate", "is out of range"),
    "observation of infinity": (
        {"observe": lambda s, seat, planes: planes.fill(np.nan)},
        "observe", "numbers that are not finite",
    ),
    # Keys and repetition.
    "repetition is not counted": (
        steps(lambda s: setting(over=0)(s) if repeated(s) else None),
        "over", "does not count repetitions",
    ),
    "repetition ends too early": (
        steps(lambda s: setting(over=1)(s) if (s.seen == toy.key(s)).sum() == 2 else None),
        "over", "ends the game too early by repetition",
    ),
    "seen without the key": (
        steps(lambda s: s.seen.__setitem__(slice(None), 0)),
        "seen", "does not hold the key of the position",
    ),
    "a key with the ply": (
        {"key": lambda s: np.uint64(toy.key(s) + np.uint64(s.ply))},
        "seen", "does not hold the key of the position",
    ),
    "a key of the history": (
        keyed(lambda s: toy.mix(toy.key(s) + np.uint64(s.ply))),
        "key", "differs for equal positions",
    ),
    "a key of one token": (
        keyed(lambda s: toy.mix(np.uint64(1 + s.tokens[0]))) | declaring(repetition=False),
        "key", "is the same for different positions",
    ),
    "a key of 0": ({"key": lambda s: np.uint64(0)}, "key", "is 0"),
    "a key that is a fraction": ({"key": lambda s: 0.5}, "key", "does not return an integer"),
    # Pictures and clicks.
    "a shape outside": (out_of_box(lambda view: True), "layout.scene", "draws outside its box"),
    "a shape outside when flipped": (
        out_of_box(lambda view: view.flip), "layout.scene", "draws outside its box",
    ),
    "a shape outside without coordinates": (
        out_of_box(lambda view: not view.coordinates), "layout.scene", "draws outside its box",
    ),
    "a stroke outside": (
        shapes(lambda state, view, old: [*old, Rect(-0.1, 0, 1, 1, "", "line", 0.1)]),
        "layout.scene", "draws outside its box",
    ),
    "an unknown colour": (
        shapes(lambda state, view, old: [*old, Rect(0, 0, 1, 1, "mauve")]),
        "layout.scene", "uses an unknown fill",
    ),
    "an unknown piece colour": (
        shapes(lambda state, view, old: [*old, Piece(0.5, 0.5, "board")]),
        "layout.scene", "uses an unknown colour",
    ),
    "two shapes with one id": (
        shapes(lambda state, view, old: [*old, Piece(0.5, 0.5, "red", id="token0")]),
        "layout.scene", "gives two shapes the same id",
    ),
    "an empty picture": (shapes(lambda *_: []), "layout.scene", "is empty"),
    "a picture that crashes": ({"scene": crashing_scene}, "layout.scene", "raises a KeyError"),
    "last=False is ignored": (
        {"scene": lambda state, view: replace(
            toy.scene(state, view), shapes=toy.scene(state, view).shapes[bool(state.last):])},
        "layout.scene", "marks the last move with last=False",
    ),
    "an action no click reaches": (
        shapes(lambda state, view, old: [shape for shape in old if shape.cell != "b1"]),
        "layout.scene", "has no shape for a click",
    ),
    "a start that is not shown": (
        shapes(lambda state, view, old: [
            shape for shape in old if not view.targets or shape.cell != "b1"]),
        "layout.scene", "does not show the start of a move",
    ),
    "a target that is not shown": (
        {"clicks": lambda move: (f"a{move[1]}", move),
         **shapes(lambda state, view, old: [
             shape for shape in old if not view.picked or shape.cell != "b1"])},
        "layout.scene", "does not show the target of a move",
    ),
    "two moves with the same clicks": (
        {"clicks": lambda move: ("a1",)}, "layout.clicks", "gives two moves the same clicks",
    ),
    "a move without clicks": (
        {"clicks": lambda move: ()}, "layout.clicks", "has a move without clicks",
    ),
    "a path of nothing": (
        {"paths": stepless_paths}, "layout.paths", "moves a shape that does not exist",
    ),
    "a button without a key": (
        {"CONTROLS": Controls((Button("b1", "B", "", "go to b1"),))},
        "layout.CONTROLS", "has an incomplete button",
    ),
    "two buttons with one key": (
        {"CONTROLS": Controls((Button("b1", "B", "b", "go"), Button("c1", "C", "b", "go")))},
        "layout.CONTROLS", "has two equal buttons",
    ),
    # Phrases, options, traits.
    "a status without a text": (
        {"status": lambda game, s: Phrase("lost")}, "rules.status", "returns a code without a text",
    ),
    "a status with an unknown field": (
        {"TEXTS": toy.TEXTS | {"play": "{colour} to play"}},
        "rules.status", "has a text with an unknown field",
    ),
    "a status for nobody": (
        {"TEXTS": toy.TEXTS | {"turn": "{seat}'s turn"},
         "status": lambda game, s: Phrase("turn", {"seat": 0})},
        "rules.TEXTS", "does not address the seat to move",
    ),
    "an empty status": (
        {"TEXTS": toy.TEXTS | {"play": " "}}, "rules.status", "is empty",
    ),
    "a text that is not a template": (
        {"TEXTS": toy.TEXTS | {"far": "{column"}}, "rules.TEXTS", "has a wrong text 'far'",
    ),
    "a text with a numbered field": (
        {"TEXTS": toy.TEXTS | {"far": "{0}"}}, "rules.TEXTS", "has a wrong text 'far'",
    ),
    "a reason without a text": (
        {"reason": lambda s, seat, action: Phrase("near")},
        "rules.reason", "returns a code without a text",
    ),
    "a reason that crashes": (
        {"reason": lambda s, seat, action: {}[action]}, "rules.reason", "raises a KeyError",
    ),
    "an option that accepts anything": (
        {"OPTIONS": (*toy.OPTIONS, AcceptingOption("mode", 1, "any"))},
        "option mode", "accepts any value",
    ),
    "an option that rejects its default": (
        {"OPTIONS": (*toy.OPTIONS, Option("mode", 7, "small", 0, 3))},
        "option mode", "rejects its default",
    ),
    "an option without a description": (
        {"OPTIONS": (*toy.OPTIONS, Option("mode", 1, "", 0, 3))},
        "option mode", "has no description",
    ),
    "a progress without a text": (
        {"progress": lambda game, s: Phrase("lost")},
        "rules.progress", "returns a code without a text",
    ),
    "presets of which none is selected": (
        {"PRESETS": Presets("length", (FULL,), selected=1)}, "rules.PRESETS", "selects no preset",
    ),
    "a preset without a description": (
        {"PRESETS": Presets("length", (FULL, Preset("short", "", {"repetition": 3})))},
        "rules.PRESETS", "has an incomplete preset",
    ),
    "presets of different options": (
        {"PRESETS": Presets("length", (FULL, Preset("short", "small")))},
        "rules.PRESETS", "has different options",
    ),
    "a preset with a wrong value": (
        {"PRESETS": Presets("length", (FULL, Preset("long", "large", per_seat={"repetition": 5})))},
        "rules.PRESETS", "has a wrong value",
    ),
    "a seat without a name": ({"SEAT_NAMES": ("White",)}, "rules.SEAT_NAMES", "not name every"),
    "seats with one letter": ({"LETTERS": "ww"}, "rules.LETTERS", "does not name every seat"),
    "a summary of two lines": ({"SUMMARY": "one\ntwo"}, "rules.SUMMARY", "is not one line"),
    "an empty title": ({"TITLE": ""}, "rules.TITLE", "is not one line"),
    "seven levels": ({"LEVELS": ((0, "random"),) * 7}, "rules.LEVELS", "has a wrong length"),
    "a level of an unknown player": (
        {"LEVELS": ((0, "nobody"),) * 8}, "rules.LEVELS", "has a wrong level",
    ),
    "a level without a percentage": (
        {"LEVELS": ((101, "random"),) * 8}, "rules.LEVELS", "has a wrong level",
    ),
    "random_start": (declaring(random_start=True), "rules.traits", "has a wrong random_start"),
    "no random_start": (
        declaring(random_start=False), "rules.traits", "has a wrong random_start", OPEN,
    ),
    "chance": (declaring(chance=True), "rules.traits", "has a wrong chance"),
    "no chance": (declaring(chance=False), "rules.traits", "has a wrong chance", OPEN),
    "hidden": (declaring(hidden=True), "rules.traits", "has a wrong hidden"),
    "not hidden": (declaring(hidden=False), "hide", "changes more than the generator", HIDDEN),
    "simultaneous": (
        declaring(simultaneous=True), "rules.traits", "has a wrong unattended",
    ),
    "a solo outcome": (declaring(outcome=SCORE), "rules.traits", "has a wrong outcome"),
    "an unknown outcome": (declaring(outcome="fun"), "rules.traits", "has an unknown outcome"),
    # Missing names.
    "no read": ({"remove": ["read"]}, "notation.read", "is missing"),
    "no clicks": ({"remove": ["clicks"]}, "layout.clicks", "is missing"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_reported(fault):
    changes, function, problem, *options = FAULTS[fault]
    game = race(*options, **changes)
    naive = naive_race if fault in COMPARED else None
    with pytest.raises(Fault) as caught:
        check_game(game, games=4, plies=40, naive=naive)
    found = caught.value
    assert (found.game, found.function) == ("race", function), str(found)
    assert problem in found.problem, str(found)
    assert str(found).startswith(f"race: `{function}` {found.problem}.")


@pytest.mark.parametrize("options", [{}, OPEN, HIDDEN, {"repetition": 0}, {"repetition": 2}])
def test_the_game_without_a_fault_passes(options):
    check_game(race(options), games=4, plies=40, naive=None if options == HIDDEN else naive_race)


def test_an_exception_of_a_move_that_was_not_checked_is_reported():
    def apply_out_of_bounds(s, seat, action):
        s.tokens[99] = action

    with pytest.raises(Fault) as caught:
        list(RandomGame(race(apply=apply_out_of_bounds), 0, Random(0)).positions(1))
    assert (caught.value.function, caught.value.problem) == ("apply", "raises an IndexError")
    assert caught.value.position == "aa w -"
