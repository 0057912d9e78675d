"""The files that a module depends on: a change of any of them must not go unnoticed."""

import pytest

from quincunx import module_sources
from quincunx.module_sources import Source, compiled_sources, digest, locate


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Writes packages that can be located; called with the text of each file."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(**files):
        for name, text in files.items():
            path = tmp_path.joinpath(*name.split("__")).with_suffix(".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            for parent in path.relative_to(tmp_path).parents[:-1]:
                (tmp_path / parent / "__init__.py").touch()
        return tmp_path

    return write


def own_files(module):
    """Returns the files that a module depends on besides those that games share."""
    shared = module_sources.shared_compiled_sources()
    return [file for file in compiled_sources(locate(module)) if file not in shared]


def test_every_template_is_in_a_shared_file():
    using = {
        path
        for path in module_sources.PACKAGE.rglob("*.py")
        if "jit.specialise(" in path.read_text() and path.name != "contract.py"
    }
    assert using <= set(module_sources.shared_compiled_sources())


def test_a_shared_file_depends_on_the_shared_files():
    shared = list(module_sources.shared_compiled_sources())
    assert compiled_sources(locate("quincunx.position")) == shared


@pytest.mark.parametrize(
    "statement",
    [
        "from alone.tables import ROWS",
        "from alone import tables",
        "from alone import (\n    kernel,  # a comment, with (brackets)\n    tables as rows,\n)",
        "from .tables import *",
        "from . import tables",
        "import alone.tables",
        "import numpy, alone.tables as tables",
        "def late():\n    from alone.tables import ROWS",
        "import numpy; import alone.tables",
        "if True: from alone import tables; print()",
        "from alone \\\n  import tables",
        "from alone.tables import \\\n    ROWS",
    ],
)
def test_every_form_of_import_is_followed(package, statement):
    directory = package(alone__kernel=statement, alone__tables="ROWS = 1", alone__other="")
    names = [file.relative_to(directory).as_posix() for file in own_files("alone.kernel")]
    assert names == ["alone/kernel.py", "alone/tables.py"]


def test_imports_for_type_hints_are_not_followed(package):
    package(
        alone__kernel="if TYPE_CHECKING:\n    from alone import hints\n\nfrom alone import tables",
        alone__tables="",
        alone__hints="",
    )
    assert [file.name for file in own_files("alone.kernel")] == ["kernel.py", "tables.py"]


def test_sub_packages_and_parents_are_followed(package):
    package(
        large__games__heap__kernel="from ...rows import tables\nfrom large.games import MOST",
        large__games__heap__layout="",
        large__rows__tables="from large import numbers",
        large__numbers="",
        large__unused="",
    )
    directory = package()
    names = [
        file.relative_to(directory).as_posix() for file in own_files("large.games.heap.kernel")
    ]
    assert names == [
        "large/games/__init__.py",
        "large/games/heap/kernel.py",
        "large/numbers.py",
        "large/rows/tables.py",
    ]


def test_other_packages_are_followed_if_they_use_quincunx(package):
    package(
        variant__kernel="from original.kernel import legal\nfrom unrelated import more",
        original__kernel="from quincunx.jit import jit\nfrom original import tables",
        original__tables="",
        unrelated__more="",
    )
    files = [f"{file.parent.name}/{file.name}" for file in own_files("variant.kernel")]
    assert files == ["original/kernel.py", "original/tables.py", "variant/kernel.py"]


def test_a_script_depends_on_the_files_next_to_it(package):
    directory = package(script="import beside\nimport numpy", beside="", unused="")
    files = compiled_sources(Source("__main__", directory / "script.py"))
    assert files[-2:] == [directory / "script.py", directory / "beside.py"]


def test_data_files_belong_to_the_folder_of_a_module(package):
    directory = package(alone__kernel="", alone__inner__module="") / "alone"
    (directory / "tables").mkdir()
    for name in ("weights.npy", "tables/rows.txt", "inner/rows.txt", "guide.md", "board.svg", ".x"):
        (directory / name).touch()
    assert own_files("alone.kernel") == [
        directory / "kernel.py",
        directory / "tables" / "rows.txt",
        directory / "weights.npy",
    ]


def test_modules_without_a_python_file_are_not_located():
    assert locate("quincunx.jit").file == module_sources.PACKAGE / "jit.py"
    assert locate("quincunx.search").file == module_sources.PACKAGE / "search" / "__init__.py"
    assert [locate(name) for name in ("no_such_package", "quincunx.no", "sys", "__main__.x")] == (
        [None] * 4
    )


def test_the_digest_depends_on_names_and_content(tmp_path):
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_bytes(b"12")
    second.write_bytes(b"3")
    before = digest([first, second])
    first.write_bytes(b"1")
    second.write_bytes(b"23")
    assert digest([first, second]) != before
    assert digest([second.rename(tmp_path / "c")]) != digest([first])
