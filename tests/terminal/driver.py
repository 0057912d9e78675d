"""A table to test at: the app without a screen, with what hands do at it."""

import asyncio
from collections import deque

from textual.widgets import Static

import quincunx as qx
from quincunx.terminal.app import QuincunxApp
from quincunx.terminal.board import ARROWS, Board
from quincunx.terminal.focus import INNERMOST, stepped
from quincunx.terminal.local_game import LocalGame
from quincunx.terminal.panel import DIGITS, Buttons

HOPS = 5  # from a click to what it begins: widget, screen, app, worker


class Table:
    """The app as a test drives it."""

    def __init__(self, app, pilot):
        self.app = app
        self.pilot = pilot

    @property
    def screen(self):
        return self.app.screen

    @property
    def match(self):
        return self.screen.local_game.match

    @property
    def board(self):
        return self.screen.query_one(Board)

    @property
    def status(self):
        return self.said("#status")

    def said(self, where):
        return str(self.screen.query_one(where, Static).render())

    async def press(self, *keys):
        await self.pilot.press(*keys)
        await self.settle()

    async def settle(self):
        """Waits until nobody thinks and everything is drawn."""
        await self._hop()
        while any(not worker.is_finished for worker in self.app.workers):
            await self.app.workers.wait_for_complete()
            await self._hop()
        await self.pilot.pause()

    async def _hop(self):
        """Waits until messages that led to others are done.

        Pilot's own pause looks whether the process works, and on a busy machine it may just
        not have had its turn.
        """
        for _ in range(HOPS):
            await self.pilot.pause(0)
        await self.pilot.pause()

    async def click_on(self, where):
        """Clicks on a widget, where it is when everything is drawn."""
        await self.settle()
        await self.pilot.click(where)
        await self.settle()

    async def type(self, text):
        await self.press("slash", *text, "enter")

    async def type_without_waiting(self, text):
        await self.pilot.press("slash", *text, "enter")
        await self.pilot.pause()

    async def go_to(self, name):
        """Moves the focus to a name by arrow keys."""
        for key in self.paths()[name]:
            await self.pilot.press(key)
        await self.pilot.pause()
        assert self.board.name_focused == name

    def paths(self):
        """The names that arrow keys lead to from the focus, each with its keys."""
        picture, focus = self.board.picture, self.board.name_focused
        starts = frozenset(self.screen.hand.starts)
        found, ends = {focus: ()}, deque([focus])
        while ends:
            focus = ends.popleft()
            for key, step in ARROWS.items():
                there = stepped(picture, focus, INNERMOST, step, starts)
                if there not in found:
                    found[there] = (*found[focus], key)
                    ends.append(there)
        return found

    def innermost(self):
        """The names that have no other names in them."""
        stacks = self.board.picture.nested_names
        outer = {name for stack in stacks for name in stack[1:]}
        return {stack[0] for stack in stacks if stack} - outer

    async def play_by_keys(self, move):
        """Makes a move with arrows, Enter and digits."""
        for name in self.screen.hand.ways[move]:
            if name in self.screen.query_one(Buttons).names:
                await self.press(DIGITS[self.screen.query_one(Buttons).names.index(name)])
            else:
                await self.go_to(name)
                await self.press("enter")

    async def play_by_mouse(self, move):
        """Makes a move by clicks."""
        for name in self.screen.hand.ways[move]:
            buttons = self.screen.query_one(Buttons)
            if name in buttons.names:
                label = f" {buttons.labels[buttons.names.index(name)]} "
                rows = enumerate(buttons.render().plain.splitlines())
                column, row = next((line.index(label), y) for y, line in rows if label in line)
                await self.pilot.click(buttons, offset=(column + 1, row))
            else:
                await self.click(name)
            await self.settle()

    async def click(self, name, button=1):
        left, top, right, bottom = self.board.picture.boxes[name]
        middle = int((left + right) / 2), int((top + bottom) / 2)
        more = {"button": button} if button > 1 else {}
        await self.pilot.click(self.board, offset=middle, **more)
        await self.pilot.pause()

    async def drag(self, begin, end):
        for name, deed in ((begin, self.pilot.mouse_down), (end, self.pilot.mouse_up)):
            left, top, right, bottom = self.board.picture.boxes[name]
            await deed(self.board, offset=(int((left + right) / 2), int((top + bottom) / 2)))
        await self.settle()

    def simple_move(self):
        """A legal move whose names can be touched without changing the level."""
        innermost = self.innermost()
        for move, way in self.screen.hand.ways.items():
            if way[0] in innermost and len(way) > 1:
                return move
        return next(iter(self.screen.hand.ways))


def local_game(name, *players, seed=3, **options):
    """Somebody and bots that answer at once, or these players."""
    game = qx.game(name, **options)
    first = game.start(0).turn or 0
    seats = list(players) or ["human" if s == first else "random" for s in range(game.seats)]
    return LocalGame(qx.Match(game, seats, seed))


def at_table(scenario, seated=None, size=(80, 24), **more):
    """Lets a scenario happen at a table."""

    async def happen():
        app = QuincunxApp(seated, hint_by="greedy", limit=0.05, pace=0, **more)
        async with app.run_test(size=size) as pilot:
            table = Table(app, pilot)
            await table.settle()
            await scenario(table)
        return app

    return asyncio.run(happen())
