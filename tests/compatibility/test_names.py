"""Names that programs, players and files rely on are those of commit b6f0123.

`names.json` lists them as that commit defined them. New names may be added; these must stay.
"""

import json
from pathlib import Path

import click
import pytest
import typer

import quincunx as qx
from quincunx import cli, client
from quincunx.players import PLAYERS, player_module
from quincunx.rooms.messages import ERROR_CODES, RULES
from quincunx.web.app import create_app

OLD = json.loads((Path(__file__).parent / "b6f0123" / "names.json").read_text())


@pytest.mark.parametrize("kind", OLD["player_options"])
def test_player_options(kind):
    assert kind in PLAYERS
    names = {option.name for option in player_module(kind).OPTIONS}
    assert set(OLD["player_options"][kind]) <= names


@pytest.mark.parametrize("name", OLD["games"])
def test_game_options_and_packed_positions(name):
    game = qx.game(name)
    old = OLD["games"][name]
    assert set(old["options"]) <= {option.name for option in game.parts.rules.OPTIONS}
    assert old["events"] == list(game.kernel.EVENTS)
    # Packed positions, and so pickled ones, begin with a hash of this description.
    assert old["state"] == json.loads(json.dumps(game.kernel.STATE.descr))


def test_message_types_fields_and_error_codes():
    for kind, fields in OLD["messages"].items():
        now = {rule.name + "?" * (not rule.required) for rule in RULES[kind]}
        assert set(fields) <= now, kind
    assert set(OLD["error_codes"]) <= set(ERROR_CODES)


def test_http_routes_and_fields(tmp_path):
    schema = create_app(f"sqlite+aiosqlite:///{tmp_path}/x.sqlite", compile_first=False).openapi()
    for path, methods in OLD["routes"].items():
        for method, parameters in methods.items():
            now = {p["name"] for p in schema["paths"][path][method].get("parameters", [])}
            assert set(parameters) <= now, (path, method)
    models = [
        set(model.get("properties", {})) for model in schema["components"]["schemas"].values()
    ]
    for fields in OLD["schemas"]:
        assert any(set(fields) <= model for model in models), fields


def test_commands_and_their_options():
    group = typer.main.get_command(cli.app)
    context = click.Context(group)
    for name, options in OLD["commands"].items():
        command = group.get_command(context, name)
        now = {o for p in command.params for o in (*p.opts, *p.secondary_opts)}
        assert set(options) <= now, name


@pytest.mark.parametrize("name", OLD["client"])
def test_public_names_of_the_client(name):
    assert set(OLD["client"][name]) <= set(vars(getattr(client, name)))
