"""A game is one folder and one registration: nothing else names a game or counts the games.

In the sources and in the configuration, a game is named only in its own folder. Tests may take a
game as an example, but those that are meant for every game must not list the games.
"""

import ast
import re
from pathlib import Path

import pytest

from quincunx.registry import BUILT_IN

ROOT = Path(__file__).parents[1]
SUFFIXES = {".py", ".js", ".mjs", ".ts", ".css", ".tcss", ".html", ".json", ".txt"}
CONFIGURATION = (
    "pyproject.toml",
    "Makefile",
    "package.json",
    "tsconfig.json",
    "eslint.config.js",
    ".ci/run",
)

# Not a word boundary: `onoro_table` and `tableOnoro` name a game too.
NAME = re.compile("|".join(BUILT_IN), re.IGNORECASE)

NUMBER_WORDS = ["three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
COUNT = re.compile(rf"\b({'|'.join(NUMBER_WORDS)}|[3-9]|1[0-2]) ([a-z-]+ )?games\b", re.IGNORECASE)
ASSERTED_COUNT = re.compile(r"len\((\w+\.)*(games\(\)|names\(\)|BUILT_IN)\) *[=<>!]=? *\d")

REGISTRATION = f"BUILT_IN = {BUILT_IN}".replace("'", '"')

# What may name games: the file, the part of the line, and why.
ALLOWED = [
    ("src/quincunx/registry.py", REGISTRATION, "the one registration"),
    ("src/quincunx/__init__.py", 'qx.game("quorum")', "an example that runs as a doctest"),
    ("src/quincunx/arena/__init__.py", 'arena.play("quorum", ', "an example in a docstring"),
    ("src/quincunx/client.py", 'client.create("quorum", ', "an example in a docstring"),
    ("src/quincunx/record.py", '[Game "onoro"]', "an example of the file format"),
    ("pyproject.toml", "quincunx.solve.onoro", "the contracts of a solver name its folder"),
]

# Folders of one game outside `games`.
OWN_FOLDERS = {"src/quincunx/solve/onoro": "onoro"}  # the solver that its rules name

# Tables of the tests with rows for every game: where they are, and what they are called.
TABLES = [
    ("tests/draw/test_animation.py", "GAMES"),
    ("tests/golden/evaluations.py", "GAMES"),
    ("tests/perft/count.py", "POSITIONS"),
    ("tests/search/test_mcts.py", "VARIANTS"),
    ("tests/simulation/script.py", "GAMES"),
    ("tests/test_all_games.py", "VARIANTS"),
    ("tests/test_match_machine.py", "MATCHES"),
    ("tests/test_phrases.py", "EXPLORED"),
    ("tests/test_phrases.py", "EXAMPLES"),
    ("tests/test_traits.py", "DECLARED"),
]

# Lists of the tests that are not meant for every game, and why.
LISTS = [
    ("tests/simulation/test_room_machine.py", "ROOMS", "one short game for every kind of turn"),
    ("tests/test_traits.py", "WRONG_TRAITS", "each needs a game with the opposite trait"),
]


def source_files():
    """Returns the files of the package and of its configuration."""
    package = (path for path in (ROOT / "src").rglob("*") if path.suffix in SUFFIXES)
    return sorted(package) + [ROOT / name for name in CONFIGURATION if (ROOT / name).exists()]


def own_names(path):
    """Returns the names of the games whose folder holds a file."""
    relative = path.relative_to(ROOT).as_posix()
    folders = {**OWN_FOLDERS, **{f"src/quincunx/games/{name}": name for name in BUILT_IN}}
    return {name for folder, name in folders.items() if relative.startswith(f"{folder}/")}


def without_allowed(relative, line):
    """Returns a line without the parts that may name games."""
    for file, text, _ in ALLOWED:
        if file == relative:
            line = line.replace(text, "")
    return line


def lines_that_name_games(path):
    """Yields the lines of a file that name a game of another folder."""
    relative, own = path.relative_to(ROOT).as_posix(), own_names(path)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = {name.lower() for name in NAME.findall(without_allowed(relative, line))}
        if found - own:
            yield f"{relative}:{number}: {line.strip()[:100]}"


def test_no_source_and_no_configuration_names_a_game_outside_its_folder():
    found = [line for path in source_files() for line in lines_that_name_games(path)]
    assert not found, "games named outside their folders:\n" + "\n".join(found)


def test_no_source_and_no_configuration_counts_the_games():
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in source_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if COUNT.search(line)
    ]
    assert not found, "the number of games:\n" + "\n".join(found)


@pytest.mark.parametrize(("file", "text", "reason"), ALLOWED)
def test_every_exception_is_needed(file, text, reason):
    assert text in (ROOT / file).read_text(encoding="utf-8"), f"no longer there: {reason}"


def literals(tree):
    """Yields the outermost literal collections of a module, each with the name it is given."""
    names = {
        id(node.value): target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict):
            yield node, names.get(id(node), "")
        else:
            pending += ast.iter_child_nodes(node)


def games_in(literal):
    """Returns the names of the games that a literal holds as texts."""
    texts = (node.value for node in ast.walk(literal) if isinstance(node, ast.Constant))
    return {text.lower() for text in texts if isinstance(text, str)} & set(BUILT_IN)


def is_for_every_game(literal):
    """Returns whether a table has rows for every game, listed or by a loop over all games."""
    loops = {node.id for node in ast.walk(literal) if isinstance(node, ast.Name)}
    return games_in(literal) == set(BUILT_IN) or bool(loops & {"games", "BUILT_IN"})


def files_of_tests(suffix):
    """Returns the files of the tests with this suffix, without this one."""
    found = (ROOT / "tests").rglob(f"*{suffix}")
    return sorted(path for path in found if path != Path(__file__))


def test_no_test_lists_the_games():
    allowed = {*TABLES, *((file, name) for file, name, _ in LISTS)}
    found = []
    for path in files_of_tests(".py"):
        relative = path.relative_to(ROOT).as_posix()
        for literal, name in literals(ast.parse(path.read_text(encoding="utf-8"))):
            if len(games_in(literal)) > 2 and (relative, name) not in allowed:
                found.append(f"{relative}:{literal.lineno}: {', '.join(sorted(games_in(literal)))}")
    for path in files_of_tests(".mjs"):
        for list_ in re.findall(r"[\[{][^\[{}\]]*[}\]]", path.read_text(encoding="utf-8")):
            if len(set(NAME.findall(list_))) > 2:
                found.append(f"{path.relative_to(ROOT)}: {list_}")
    assert not found, "write BUILT_IN, any_game or a property instead:\n" + "\n".join(found)


@pytest.mark.parametrize(("file", "name"), TABLES)
def test_a_table_has_rows_for_every_game(file, name):
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    (table,) = [literal for literal, assigned in literals(tree) if assigned == name]
    assert is_for_every_game(table), f"{name} has rows for {sorted(games_in(table))} only"


@pytest.mark.parametrize(("file", "name", "reason"), LISTS)
def test_every_list_is_still_there(file, name, reason):
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    lists = [literal for literal, assigned in literals(tree) if assigned == name]
    assert [len(games_in(literal)) > 2 for literal in lists] == [True]


def test_no_test_counts_the_games():
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in files_of_tests(".py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if ASSERTED_COUNT.search(line) or re.search(rf"\b({'|'.join(NUMBER_WORDS)}) games\b", line)
    ]
    assert not found, "the number of games:\n" + "\n".join(found)


@pytest.mark.parametrize(
    "line",
    [
        'if game.name == "onoro":',
        ".card.sphero { color: red; }",
        "const WZLZ_COLOURS = 7;",
        "onoroTable = None",
        '    "quincunx.games.blocky.goals",',
    ],
)
def test_a_planted_name_is_found(line, tmp_path, monkeypatch):
    monkeypatch.setattr("tests.test_game_names.ROOT", tmp_path)
    (tmp_path / "planted.py").write_text(f"first line\n{line}\n")
    assert list(lines_that_name_games(tmp_path / "planted.py")) == [f"planted.py:2: {line.strip()}"]


@pytest.mark.parametrize(
    ("line", "is_count"),
    [
        ("Quincunx: five abstract games, one engine.", True),
        ("play all 6 games", True),
        ("Compiles two games at once", False),
        ("games = 5", False),
    ],
)
def test_a_planted_count_is_found(line, is_count):
    assert bool(COUNT.search(line)) == is_count


def test_planted_lists_are_found():
    code = 'CASES = [("onoro", 1), ("Wzlz", 2), ("blocky", 3)]\ntwo = ("onoro", "wzlz", "x")\n'
    found = [(name, sorted(games_in(literal))) for literal, name in literals(ast.parse(code))]
    assert sorted(found) == [("CASES", ["blocky", "onoro", "wzlz"]), ("two", ["onoro", "wzlz"])]
    assert ASSERTED_COUNT.search("assert len(qx.games()) == 5")
