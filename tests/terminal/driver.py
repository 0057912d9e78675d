"""A driver for tests: runs the app headless, with helpers for keys, mouse and typing."""

import asyncio
from collections import deque

from textual.widgets import Static

import quincunx as qx
from quincunx.terminal.app import QuincunxApp
from quincunx.terminal.board import ARROWS, BoardWidget
from quincunx.terminal.focus import INNERMOST_LEVEL, next_focus
from quincunx.terminal.local_game import LocalGame
from quincunx.terminal.panel import DIGIT_KEYS, ButtonBar

MESSAGE_HOPS = 5  # more than from a click to the worker it starts: widget, screen, app, worker


class AppDriver:
    """A running app and Textual's pilot for it."""

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
    def move_count(self):
        return self.screen.local_game.move_count

    @property
    def selection(self):
        return self.screen.selection

    @property
    def board(self):
        return self.screen.query_one(BoardWidget)

    @property
    def buttons(self):
        return self.screen.query_one(ButtonBar)

    @property
    def status(self):
        return self.text_of("#status")

    def text_of(self, selector):
        return str(self.screen.query_one(selector, Static).render())

    async def press(self, *keys):
        await self.pilot.press(*keys)
        await self.settle()

    async def settle(self):
        """Waits until all workers are done and everything is drawn."""
        await self._wait_for_messages()
        while any(not worker.is_finished for worker in self.app.workers):
            await self.app.workers.wait_for_complete()
            await self._wait_for_messages()
        await self.pilot.pause()

    async def _wait_for_messages(self):
        """Waits until messages, and the messages they cause, are handled.

        One pause is not enough: it waits until the process uses no CPU time, which on a busy
        machine can also mean that the process is not being scheduled.
        """
        for _ in range(MESSAGE_HOPS):
            await self.pilot.pause(0)
        await self.pilot.pause()

    async def click_widget(self, selector):
        """Clicks a widget after everything is drawn."""
        await self.settle()
        await self.pilot.click(selector)
        await self.settle()

    async def type_move(self, text):
        await self.press("slash", *text, "enter")

    async def type_move_without_waiting(self, text):
        await self.pilot.press("slash", *text, "enter")
        await self.pilot.pause()

    async def focus_name(self, name):
        """Moves the focus to a name by arrow keys."""
        for key in self.keys_to_names()[name]:
            await self.pilot.press(key)
        await self.pilot.pause()
        assert self.board.focused_name == name

    def keys_to_names(self):
        """Returns the arrow keys that lead from the focus to each reachable name."""
        picture, focus = self.board.picture, self.board.focused_name
        starts = frozenset(self.selection.first_names)
        keys_to, queue = {focus: ()}, deque([focus])
        while queue:
            focus = queue.popleft()
            for key, step in ARROWS.items():
                name = next_focus(picture, focus, INNERMOST_LEVEL, step, starts)
                if name not in keys_to:
                    keys_to[name] = (*keys_to[focus], key)
                    queue.append(name)
        return keys_to

    def innermost_names(self):
        """Returns the names that contain no other names."""
        nestings = self.board.picture.nested_names
        outer = {name for nesting in nestings for name in nesting[1:]}
        return {nesting[0] for nesting in nestings if nesting} - outer

    async def play_by_keys(self, move):
        """Plays a move with arrows, Enter and digits."""
        for name in self.selection.click_sequences[move]:
            if name in self.buttons.names:
                await self.press(DIGIT_KEYS[self.buttons.names.index(name)])
            else:
                await self.focus_name(name)
                await self.press("enter")

    async def play_by_mouse(self, move):
        """Plays a move by clicks."""
        for name in self.selection.click_sequences[move]:
            buttons = self.buttons
            if name in buttons.names:
                label = f" {buttons.labels[buttons.names.index(name)]} "
                rows = enumerate(buttons.render().plain.splitlines())
                column, row = next((line.index(label), y) for y, line in rows if label in line)
                await self.pilot.click(buttons, offset=(column + 1, row))
            else:
                await self.click_name(name)
            await self.settle()

    async def click_name(self, name, button=1):
        options = {"button": button} if button > 1 else {}
        await self.pilot.click(self.board, offset=self._centre(name), **options)
        await self.pilot.pause()

    async def drag(self, start, end):
        await self.pilot.mouse_down(self.board, offset=self._centre(start))
        await self.pilot.mouse_up(self.board, offset=self._centre(end))
        await self.settle()

    def _centre(self, name):
        left, top, right, bottom = self.board.picture.boxes[name]
        return int((left + right) / 2), int((top + bottom) / 2)

    def simple_move(self):
        """Returns a legal move that can be made without changing the focus level."""
        innermost = self.innermost_names()
        for move, names in self.selection.click_sequences.items():
            if names[0] in innermost and len(names) > 1:
                return move
        return next(iter(self.selection.click_sequences))


def new_game(name, *players, seed=3, **options):
    """Returns a game between the players; by default a person, who moves first, and random bots."""
    game = qx.game(name, **options)
    first = game.start(0).turn or 0
    default = ["human" if seat == first else "random" for seat in range(game.seats)]
    return LocalGame(qx.Match(game, list(players) or default, seed))


def run_app(scenario, local_game=None, size=(80, 24), **settings):
    """Runs the app headless, awaits `scenario(driver)` and returns the app."""

    async def run():
        app = QuincunxApp(
            local_game,
            hint_player="greedy",
            analysis_seconds=0.05,
            bot_pause_seconds=0,
            **settings,
        )
        async with app.run_test(size=size) as pilot:
            driver = AppDriver(app, pilot)
            await driver.settle()
            await scenario(driver)
        return app

    return asyncio.run(run())
