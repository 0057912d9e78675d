"""Checks of the compiled code, after all of it has been used."""

from __future__ import annotations

from quincunx import jit, search
from quincunx.game import Game
from quincunx.testing.declarations import forbidden_use
from quincunx.testing.fault import Fault
from quincunx.warm import declared_functions, run_batch


def check_compiled(game: Game) -> None:
    """Checks that all uses of a kernel agreed with its declared types, and what search calls.

    Games are played in a batch and by random playouts first, so that these are among the uses.
    """
    run_batch(game)
    search.RandomGames(game).play(seed=0, min_moves=1, max_game_moves=10)
    if jit.UNCOMPILED:
        return
    kernel = [
        (name, function, text, {"state": game.kernel.STATE})
        for name, (function, text) in declared_functions(game.kernel).items()
    ]
    searches = list(search.declared_functions(game.kernel))
    for name, function, text, records in (*kernel, *searches):
        expected = jit.signature_text(jit.signature(text, records), records)
        others = {*jit.compiled_signatures(function, records)} - {expected}
        if others:
            found = f"{', '.join(sorted(others))}."
            raise Fault(
                game.name, name, "was called with other types than declared", found, f"{expected}."
            )
    for name, function, _, _ in searches:
        if forbidden := jit.forbidden_names(function):
            raise Fault(game.name, name, *forbidden_use(forbidden))
