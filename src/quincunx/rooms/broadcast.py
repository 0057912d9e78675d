"""Sends what has been stored to the subscribers of a room, each in the form of its view.

Programs get an event at once. For pages it waits in a queue until its picture is drawn, so that
drawing delays neither the next move nor its acknowledgement. One task for each room draws the
queue in order while there is something in it. When it grows too long, the pictures in between
are left out, and pages get the current one.

Pages that see the board from the same side share one `Animation`, which gives the shapes of a
picture their keys. Frames are changes to its last picture. A page that has not got this picture,
because it was left out or could not be drawn, gets the whole new picture instead of frames.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

from quincunx.draw.animation import Animation
from quincunx.game import Step
from quincunx.rooms.answers import ServerMessage
from quincunx.rooms.errors import RequestError
from quincunx.rooms.host import Encode, Pool
from quincunx.rooms.views import LegalMoves, Subscription

MAX_QUEUED_EVENTS = 8  # with more waiting, pictures in between are left out
NO_MOVES = '"legal":{}'

log = logging.getLogger("quincunx.rooms")


class Subscriber(Protocol):
    """A client that receives the messages of a room."""

    def send(self, text: str) -> None:
        """Queues a message, without waiting."""

    def disconnect(self) -> None:
        """Disconnects the client, which may connect again."""


class Update(NamedTuple):
    """An event that has been stored, and the position after it."""

    members: str  # of its JSON object, the same for all: without legal moves and pictures
    legal: LegalMoves
    to_move: tuple[int, ...]  # the seats of people who may move
    changes_board: bool
    steps: Callable[[], list[Step]] | None  # the boards of a move

    def seats(self, subscription: Subscription) -> tuple[int, ...]:
        """Returns the seats of a subscriber that may move."""
        return tuple([seat for seat in subscription.seats if seat in self.to_move])


@dataclass
class Acknowledgement:
    """That a change is stored: `ok`, or for a program that wants so the event with its `ref`."""

    subscriber: Subscriber
    ref: Any
    sent: bool = False  # with the event

    def add_to(self, text: str, encode: Encode) -> str:
        """Returns the message of the event with the ref."""
        self.sent = True
        return f'{text[:-1]},"ref":{encode(self.ref)}}}'


@dataclass
class Arrival:
    """A page that waits for its first picture, or for one from the other side."""

    subscriber: Subscriber
    subscription: Subscription
    legal: LegalMoves
    to_move: tuple[int, ...]
    answer: Callable[[dict[str, Any]], None]  # is given the fields that depend on the view
    done: asyncio.Event = field(default_factory=asyncio.Event)
    error: Exception | None = None

    async def wait(self) -> None:
        """Returns when the picture has been sent; raises the error of drawing it."""
        await self.done.wait()
        if self.error is not None:
            raise self.error


@dataclass
class Page:
    """What a page has been sent: its subscription and the animation that its picture is from."""

    subscription: Subscription
    animation: Animation | None


@dataclass(frozen=True)
class Drawing:
    """What was drawn of an update for one side of the board; fields of messages as JSON."""

    animation: Animation
    frames: str  # for pages whose picture is from the same animation
    picture: str  # for all other pages


class Broadcaster:
    """The subscribers of a room, and the queue of what pages have not been sent yet."""

    def __init__(self, room_id: str, pool: Pool, encode: Encode) -> None:
        self.subscriptions: dict[Subscriber, Subscription] = {}
        self._room_id = room_id
        self._pool = pool
        self._encode = encode
        self._pages: dict[Subscriber, Page] = {}
        # By flip. All show the position after the last item that was taken from the queue.
        self._animations: dict[bool, Animation] = {}
        self._queue: deque[Update | Arrival] = deque()
        self._skipping = False
        self._task: asyncio.Task[None] | None = None

    # Subscribers

    def add(self, arrival: Arrival) -> None:
        """Adds a subscriber, or changes its subscription.

        `arrival.answer` is called before any later event is sent: at once, or for a page when its
        picture is drawn. `arrival.wait` waits for that.
        """
        subscription = arrival.subscription
        self.subscriptions[arrival.subscriber] = subscription
        if subscription.view == "page":
            self._enqueue(arrival)
            return
        self._pages.pop(arrival.subscriber, None)
        seats = [seat for seat in subscription.seats if seat in arrival.to_move]
        arrival.answer(arrival.legal.fields(subscription.view, seats))
        arrival.done.set()

    def turn_board(self, arrival: Arrival) -> None:
        """Shows the board from another side; `arrival.answer` is given the field `picture`."""
        self.subscriptions[arrival.subscriber] = arrival.subscription
        self._enqueue(arrival)

    def change_seats(self, subscriber: Subscriber, secrets: Mapping[int, str]) -> None:
        """Gives a subscriber these seats, with their secrets, instead of those that it had."""
        seats = tuple(sorted(secrets))
        subscription = replace(self.subscriptions[subscriber], seats=seats, secrets=secrets)
        self.subscriptions[subscriber] = subscription
        if subscriber in self._pages:
            self._pages[subscriber].subscription = subscription

    def remove(self, subscriber: Subscriber) -> bool:
        """Removes a subscriber; returns False if it was not one."""
        self._pages.pop(subscriber, None)
        return self.subscriptions.pop(subscriber, None) is not None

    def send(self, subscribers: Iterable[Subscriber], message: ServerMessage) -> None:
        """Sends a message that is not an event, at once."""
        text = self._encode(message)
        for subscriber in subscribers:
            subscriber.send(text)

    def stop(self) -> None:
        """Drops the queue; a page that waits for its picture gets an error."""
        for item in self._queue:
            if isinstance(item, Arrival):
                item.error = unloaded_error()
                item.done.set()
        self._queue.clear()
        if self._task is not None:
            self._task.cancel()

    # Events

    @property
    def is_idle(self) -> bool:
        """True when an event need not be published: nobody is, or is about to be, subscribed."""
        return not self.subscriptions and not self.has_pages

    @property
    def has_pages(self) -> bool:
        """True when an event is drawn: a page gets it, or may do so when it has been drawn."""
        return bool(self._pages) or self._task is not None

    def forget_pictures(self) -> None:
        """Discards the pictures of an older position that no page shows any more."""
        self._animations.clear()

    def publish(self, update: Update, acknowledgement: Acknowledgement | None = None) -> None:
        """Sends an event to programs, and puts it in the queue of the pages.

        `acknowledgement` is for the subscriber that has made it.
        """
        sender = acknowledgement.subscriber if acknowledgement else None
        texts: dict[tuple[str, tuple[int, ...]], str] = {}  # one for each distinct view
        for subscriber, subscription in self.subscriptions.items():
            if subscription.view == "page":
                continue
            key = subscription.view, update.seats(subscription)
            text = texts.get(key)
            if text is None:
                legal = self._members(update.legal.fields(*key))
                text = texts[key] = _object(update.members, legal)
            if subscriber is sender and subscription.ack == "event" and acknowledgement:
                text = acknowledgement.add_to(text, self._encode)
            subscriber.send(text)
        if self.has_pages:
            self._enqueue(update)
        else:
            self.forget_pictures()

    def _members(self, fields: dict[str, Any]) -> str:
        return members(self._encode(fields)) if fields else ""

    # Pages

    def _enqueue(self, item: Update | Arrival) -> None:
        self._queue.append(item)
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        """Draws and sends what is in the queue, until it is empty."""
        try:
            while self._queue:
                await self._process(self._queue.popleft())
        finally:
            self._task = None

    async def _process(self, item: Update | Arrival) -> None:
        """Draws and sends one item; an error must not keep those behind it from being sent."""
        try:
            if isinstance(item, Arrival):
                await self._admit(item)
            elif self._must_skip():
                self._skip(item)
            else:
                await self._draw_and_send(item)
        except Exception:
            log.exception("broadcasting in room %s failed", self._room_id)

    async def _admit(self, arrival: Arrival) -> None:
        """Sends its picture to a page, which gets all later events."""
        subscriber, subscription = arrival.subscriber, arrival.subscription
        try:
            animation, legal = await self._first_picture(arrival)
            if self.subscriptions.get(subscriber) is subscription:  # it has not left meanwhile
                if subscription.view == "page":
                    self._pages[subscriber] = Page(subscription, animation)
                arrival.answer({**legal, "picture": animation.picture})
            elif subscriber in self.subscriptions:
                text = "your seats have changed; join again"
                raise RequestError("busy", text, "room")
        except Exception as error:
            arrival.error = error
        except asyncio.CancelledError:
            arrival.error = unloaded_error()
            raise
        finally:
            arrival.done.set()

    async def _first_picture(self, arrival: Arrival) -> tuple[Animation, dict[str, Any]]:
        """Returns the animation of the arrival's side, and the field `legal`."""
        state, flip = arrival.legal.state, arrival.subscription.flip
        seats = [seat for seat in arrival.subscription.seats if seat in arrival.to_move]
        existing = self._animations.get(flip)

        def draw() -> tuple[Animation, dict[str, Any]]:
            return existing or Animation(state, flip), arrival.legal.fields("page", seats)

        is_ready = existing is not None and arrival.legal.has_trees(seats)
        animation, legal = draw() if is_ready else await self._pool.run_short(draw)
        self._animations[flip] = animation
        return animation, legal

    def _must_skip(self) -> bool:
        """True when the picture of the update that was taken from the queue is left out.

        When the queue has become too long, all pictures up to its last update are left out.
        """
        waiting = sum(isinstance(item, Update) for item in self._queue)
        self._skipping = waiting >= MAX_QUEUED_EVENTS or (self._skipping and waiting > 0)
        return self._skipping

    def _skip(self, update: Update) -> None:
        """Sends an event without its picture and legal moves: another one follows at once."""
        if update.changes_board:
            self._animations.clear()
        text = _object(update.members, NO_MOVES)
        for subscriber in self._pages:
            subscriber.send(text)

    async def _draw_and_send(self, update: Update) -> None:
        """Draws an event, if its pages need that, and sends it to them."""
        sides: dict[bool, list[Page]] = {}
        for page in self._pages.values():
            sides.setdefault(page.subscription.flip, []).append(page)
        for flip in set(self._animations) - set(sides):
            del self._animations[flip]
        seats = {update.seats(page.subscription) for page in self._pages.values()}
        is_ready = not self._needs_drawing(update, sides) and all(
            map(update.legal.has_trees, seats)
        )
        drawings: dict[bool, Drawing] = {}
        try:
            if not is_ready:
                drawings = await self._pool.run_short(lambda: self._draw(update, sides, seats))
        except Exception:  # the event is stored, so it is sent even without a picture
            log.exception("drawing room %s failed", self._room_id)
            self._animations.clear()
            seats = {key for key in seats if update.legal.has_trees(key)}
        self._animations |= {flip: drawing.animation for flip, drawing in drawings.items()}
        legal = {key: self._members(update.legal.fields("page", key)) for key in seats}
        self._send_to_pages(update, legal, drawings)

    def _needs_drawing(self, update: Update, sides: dict[bool, list[Page]]) -> bool:
        """True when the board has changed, or a page has not got the current picture."""
        return bool(sides) and (
            update.changes_board
            or any(
                page.animation is not self._animations.get(flip)
                for flip, pages in sides.items()
                for page in pages
            )
        )

    def _draw(
        self, update: Update, sides: dict[bool, list[Page]], seats: set[tuple[int, ...]]
    ) -> dict[bool, Drawing]:
        """Returns what is drawn of an update for each side, and generates its legal moves."""
        for key in seats:
            update.legal.fields("page", key)
        can_play = update.steps is not None and any(map(self._animations.get, sides))
        steps = update.steps() if update.steps is not None and can_play else []
        drawings = {}
        for flip, pages in sides.items():
            animation, frames = self._animations.get(flip), ""
            if animation is not None and steps:
                frames = self._members({"frames": animation.play(steps)})
            elif animation is None or update.changes_board:
                animation = Animation(update.legal.state, flip)
            picture = ""
            if any(page.animation is not animation for page in pages):
                picture = self._members({"picture": animation.picture})
            drawings[flip] = Drawing(animation, frames, picture)
        return drawings

    def _send_to_pages(
        self, update: Update, legal: dict[tuple[int, ...], str], drawings: dict[bool, Drawing]
    ) -> None:
        """Sends an event to all pages, encoded once for each distinct view."""
        texts: dict[tuple[tuple[int, ...], str], str] = {}
        for subscriber, page in self._pages.items():
            drawing, picture = drawings.get(page.subscription.flip), ""
            if drawing is not None:
                is_current = page.animation is drawing.animation
                picture = drawing.frames if is_current else drawing.picture
                page.animation = drawing.animation
            seats = update.seats(page.subscription)
            if (seats, picture) not in texts:
                texts[seats, picture] = _object(update.members, legal.get(seats, NO_MOVES), picture)
            subscriber.send(texts[seats, picture])


def unloaded_error() -> RequestError:
    """Returns the error of requests that wait for a room that is unloaded."""
    return RequestError("busy", "the room was unloaded; join it again", "room")


def members(text: str) -> str:
    """Returns the members of a JSON object, without its braces."""
    return text[1:-1]


def _object(*parts: str) -> str:
    """Returns a JSON object, given members that were encoded without braces."""
    return "{" + ",".join(filter(None, parts)) + "}"
