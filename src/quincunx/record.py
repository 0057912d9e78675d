"""Game files (.qx): tags in brackets, an empty line, moves, comments in braces; many per file.

[Game "onoro"]
[Rules "1"]
[Options "pawns=4"]
[Players "ada; greedy"]
[Result "*"]

1,0 -1,2 {a bold reply} 1,1

`Rules` is the version of the game's rules by which it was played; without the tag, 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from quincunx.errors import BadRecord, message_for_people, shorten
from quincunx.files import write_atomically
from quincunx.game import Game, State
from quincunx.options import parse_assignments
from quincunx.registry import game as game_named

UNFINISHED = "*"
TAG = re.compile(r'\[\s*([A-Za-z][A-Za-z0-9_]*)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
TOKEN = re.compile(
    r"\{(?P<comment>(?:[^}\\]|\\.)*)\}|(?P<open>\{)|(?P<move>[^\s{}]+)|(?P<stray>\})"
)
MAX_LINE_CHARS = 100
KNOWN_TAGS = ("Game", "Rules", "Options", "Seed", "Players", "Result", "Date", "Start")


@dataclass(frozen=True)
class Record:
    """One played game: everything needed to replay it, and its tags and comments.

    `comments[i]` follows move i, counted from 1; `comments[0]` precedes the first move.
    """

    game: Game
    moves: tuple[str, ...] = ()
    seed: int | None = None
    players: tuple[str, ...] = ()
    result: tuple[float, ...] | None = None
    date: str = ""
    start: str = ""
    comments: Mapping[int, str] = field(default_factory=dict, hash=False)
    tags: Mapping[str, str] = field(default_factory=dict, hash=False)
    rules: int = 0  # the version of the rules by which it was played; 0 becomes that of `game`

    def __post_init__(self) -> None:
        """Sets the version of the rules."""
        object.__setattr__(self, "rules", self.rules or self.game.rules_version)

    @classmethod
    def read(cls, text: str) -> Record:
        """Returns the first game of a text; raises BadRecord for the first problem."""
        records, problems = read_all(text)
        if problems:
            raise problems[0]
        if not records:
            raise BadRecord(1, 'no game found: a game begins with [Game "name"]')
        return records[0]

    def initial_state(self) -> State:
        """Returns the position before the first move."""
        seed = 0 if self.seed is None else self.seed
        return self.game.read(self.start, seed) if self.start else self.game.start(seed)

    def states(self) -> list[State]:
        """Returns the positions of the game, from the initial one to the last."""
        states = [self.initial_state()]
        for move in self.moves:
            states.append(states[-1].play(move))
        return states

    @property
    def text(self) -> str:
        """The game as the text of a file."""
        known = {
            "Game": self.game.name,
            "Rules": str(self.rules),
            "Options": " ".join(
                f"{name}={value}" for name, value in self.game.changed_options.items()
            ),
            "Seed": "" if self.seed is None else str(self.seed),
            "Players": "; ".join(self.players),
            "Result": UNFINISHED if self.result is None else _format_scores(self.result),
            "Date": self.date,
            "Start": self.start,
        }
        tags = {name: value for name, value in known.items() if value}
        tags |= {name: value for name, value in self.tags.items() if name not in KNOWN_TAGS}
        header = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in tags.items())
        tokens = []
        for i in range(len(self.moves) + 1):
            if i:
                tokens.append(self.moves[i - 1])
            if i in self.comments:
                tokens.append("{" + re.sub(r"([\\}])", r"\\\1", self.comments[i]) + "}")
        return header + "\n" + _wrap(tokens) + "\n"

    @classmethod
    def load(cls, path: str | Path) -> Record:
        """Returns the first game of a file; raises BadRecord for the first problem."""
        return cls.read(_read_file(path))

    def save(self, path: str | Path) -> None:
        """Writes the game to a file atomically."""
        write_atomically(path, self.text.encode())


def load(path: str | Path) -> tuple[list[Record], list[BadRecord]]:
    """Returns the readable games of a file, and all problems by line."""
    return read_all(_read_file(path))


def _read_file(path: str | Path) -> str:
    return Path(path).read_bytes().decode("utf-8", errors="replace").replace("\r\n", "\n")


def read_all(text: str) -> tuple[list[Record], list[BadRecord]]:
    """Returns the readable games of a text, and all problems by line."""
    records: list[Record] = []
    problems: list[BadRecord] = []
    for first_line, tags, body_line, body in _split_games(text, problems):
        record = _read_game(first_line, tags, body_line, body, problems)
        if record is not None:
            records.append(record)
    return records, problems


def _split_games(
    text: str, problems: list[BadRecord]
) -> Iterable[tuple[int, dict[str, tuple[int, str]], int, str]]:
    """Yields the games of a text: first line, tags with their lines, first line of moves, moves.

    Lines are given by number. A game begins at a tag after moves and at every [Game] tag, even
    inside an unclosed comment, so that a missing brace damages one game at most.
    """
    tags: dict[str, tuple[int, str]] = {}
    body: list[str] = []
    first_line = body_line = 1
    in_comment = False
    for line_number, line in enumerate(text.split("\n"), 1):
        begins_game = bool(re.match(r'\s*\[\s*Game\s+"', line))
        if not begins_game and (in_comment or not line.lstrip().startswith("[")):
            body.append(line)
            for brace in re.findall(r"\\.|[{}]", line):
                in_comment = brace == "{" or (in_comment and brace != "}")
            continue
        has_moves = any(part.strip() for part in body)
        if has_moves or (begins_game and "Game" in tags and body):
            yield first_line, tags, body_line, "\n".join(body)
            tags, first_line = {}, line_number
        elif not tags:
            first_line = line_number
        body, in_comment = [], False
        _read_tags(line_number, line.strip(), tags, problems)
        body_line = line_number + 1
    if tags or any(part.strip() for part in body):
        yield first_line, tags, body_line, "\n".join(body)


def _read_tags(
    line_number: int, line: str, tags: dict[str, tuple[int, str]], problems: list[BadRecord]
) -> None:
    """Reads the tags of one line and reports invalid ones."""
    offset = 0
    while offset < len(line):
        tag = TAG.match(line, offset)
        if not tag:
            problems.append(
                BadRecord(
                    line_number,
                    f'invalid tag {shorten(line[offset:], 60)}: expected [Name "value"]',
                )
            )
            return
        name, value = tag[1], unescape(tag[2])
        if name in tags:
            problems.append(BadRecord(line_number, f"duplicate tag {name}; the first one is used"))
        else:
            tags[name] = (line_number, value)
        offset = tag.end()


def _read_game(
    first_line: int,
    tags: dict[str, tuple[int, str]],
    body_line: int,
    body: str,
    problems: list[BadRecord],
) -> Record | None:
    """Returns one game, up to its first invalid move; None if not even its start can be read."""

    def pop_tag(name: str) -> tuple[int, str]:
        """Removes a tag; returns its line and value, or the first line and ""."""
        return tags.pop(name, (first_line, ""))

    if "Game" not in tags:
        problems.append(BadRecord(first_line, 'the tag [Game "name"] is missing'))
        return None
    tag_line, name = pop_tag("Game")
    try:
        options_line, options = pop_tag("Options")
        tag_line = options_line if options else tag_line
        game = game_named(name, **parse_assignments(options.split()))
    except ValueError as error:
        problems.append(BadRecord(tag_line, str(error)))
        return None
    seed_line, seed = pop_tag("Seed")
    if seed and not re.fullmatch(r"-?[0-9]{1,20}", seed):
        problems.append(
            BadRecord(seed_line, f"invalid seed {shorten(seed, 40)}: expected an integer")
        )
        seed = ""
    rules = _parse_rules(*pop_tag("Rules"), problems)
    game = game.as_played(rules)
    _, players = pop_tag("Players")
    result = _parse_result(*pop_tag("Result"), game, problems)
    start_line, start = pop_tag("Start")
    record = Record(
        game,
        (),
        int(seed) if seed else None,
        tuple(part.strip() for part in players.split(";")) if players else (),
        result,
        pop_tag("Date")[1],
        start,
        tags={name: value for name, (_, value) in tags.items()},
        rules=rules,
    )
    try:
        state = record.initial_state()
    except ValueError as error:
        problems.append(BadRecord(start_line, f"{error}{_other_rules(record)}"))
        return None
    return _read_moves(record, state, body_line, body, problems)


def _read_moves(
    record: Record, state: State, body_line: int, body: str, problems: list[BadRecord]
) -> Record:
    """Returns the record with moves and comments, up to the first invalid move."""
    moves: list[str] = []
    comments: dict[int, str] = {}
    for token in TOKEN.finditer(body):
        line_number = body_line + body.count("\n", 0, token.start())
        if token["comment"] is not None:
            comment = unescape(token["comment"])
            comments[len(moves)] = (comments.get(len(moves), "") + " " + comment).strip()
        elif token["open"]:
            problems.append(BadRecord(line_number, "comment without closing }"))
            break
        elif token["stray"]:
            problems.append(BadRecord(line_number, "} without opening {"))
        elif token["move"] != UNFINISHED:
            try:
                state = state.play(token["move"])
            except ValueError as error:
                problem = message_for_people(error)
                reason = f"move {len(moves) + 1}: {problem}{_other_rules(record)}"
                problems.append(BadRecord(line_number, reason))
                break
            moves.append(token["move"])
    if state.over and record.result is not None and record.result != state.scores:
        problems.append(
            BadRecord(
                body_line,
                f"wrong result {_format_scores(record.result)}: "
                f"the moves give {_format_scores(state.scores)}{_other_rules(record)}",
            )
        )
    result = state.scores if state.over else record.result
    return Record(
        record.game,
        tuple(moves),
        record.seed,
        record.players,
        result,
        record.date,
        record.start,
        comments,
        record.tags,
        record.rules,
    )


def _parse_rules(tag_line: int, text: str, problems: list[BadRecord]) -> int:
    """Returns the version in a Rules tag; 1 if there is none or it is invalid."""
    if not text:
        return 1
    if not re.fullmatch(r"[1-9][0-9]{0,8}", text):
        reason = f"invalid version of the rules {shorten(text, 40)}: expected a number from 1"
        problems.append(BadRecord(tag_line, reason))
        return 1
    return int(text)


def _other_rules(record: Record) -> str:
    """Returns a note that the record was played by other rules, if it was."""
    if record.rules == record.game.rules_version:
        return ""
    return f" (played by rules {record.rules}; rules {record.game.rules_version} are installed)"


def _parse_result(
    tag_line: int, text: str, game: Game, problems: list[BadRecord]
) -> tuple[float, ...] | None:
    """Returns the scores of a Result tag; None if it is invalid or the game is unfinished."""
    if text in ("", UNFINISHED):
        return None
    parts = text.split()
    number = r"-?[0-9]{1,15}(\.[0-9]{1,6})?"
    if len(parts) != game.seats or not all(re.fullmatch(number, part) for part in parts):
        problems.append(
            BadRecord(
                tag_line,
                f"invalid result {shorten(text, 40)}: expected {game.seats} numbers separated by "
                "spaces, one per seat, or * for an unfinished game",
            )
        )
        return None
    return tuple(float(part) for part in parts)


def _format_scores(scores: Iterable[float]) -> str:
    return " ".join(f"{score:.6f}".rstrip("0").rstrip(".") for score in scores)


def _escape(value: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", " ".join(value.split("\n")))


def unescape(value: str) -> str:
    """Returns the text that was escaped in a tag or comment."""
    return re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL)


def _wrap(tokens: Iterable[str]) -> str:
    """Returns the tokens joined by spaces, wrapped at MAX_LINE_CHARS."""
    lines = [""]
    for token in tokens:
        if lines[-1] and len(lines[-1]) + len(token) >= MAX_LINE_CHARS:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + token
    return "\n".join(lines)
