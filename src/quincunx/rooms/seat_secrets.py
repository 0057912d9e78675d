"""Who may move a seat: invitations, the secrets that are issued for them, and secrets that stay.

The creator of a room gets an invitation for each person's seat. Whoever joins with it is issued a
new secret, which the creator does not know. The invitation stays valid until an issued secret is
first used, so that a lost answer locks nobody out; then it is dead, and so are the other secrets
that were issued for it.

Only hashes are stored, as one text for each seat (`RoomSettings.hashes`):

    (empty)                      a bot, which has no secret
    HASH                         a secret that stays; all were of this kind before invitations
    invite:INVITATION,ISSUED,..  an invitation, and the secrets issued for it, the oldest first
    taken:SECRET,DEAD,..         a secret that stays, and what its first use has made invalid
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256

from quincunx.rooms.errors import RequestError

INVITE = "invite"
TAKEN = "taken"
MAX_ISSUED = 4  # secrets of one invitation that wait to be used; a further one replaces the oldest

USED_TEXT = "this invitation has been used"  # clients may compare it


class Standing(Enum):
    """What a secret is worth for a seat."""

    WRONG = "wrong"
    VALID = "valid"  # a secret that stays
    INVITATION = "invitation"
    ISSUED = "issued"  # for an invitation, and not used yet
    DEAD = "dead"


@dataclass(frozen=True)
class Admission:
    """What follows from the secrets with which a client joins, or that it confirms."""

    hashes: tuple[str, ...]  # the texts of all seats from then on
    issued: Mapping[int, str]  # the new secrets of seats that were joined by invitation
    taken: frozenset[int]  # the seats whose invitation is dead from then on


def hash_secret(secret: str) -> str:
    """Returns the hash of a secret; only the hash is stored."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def invitation(secret: str) -> str:
    """Returns the text of a seat to which `secret` invites."""
    return f"{INVITE}:{hash_secret(secret)}"


def is_taken(text: str) -> bool:
    """True when the invitation to a seat has been used, given the text of the seat."""
    return text.startswith(f"{TAKEN}:")


def standing(text: str, secret: str) -> Standing:
    """Returns what a secret is worth, given the text of its seat; compared in constant time."""
    kind, hashes = _parse(text)
    given = hash_secret(secret)
    matches = [hmac.compare_digest(each, given) for each in hashes]
    if not any(matches):
        return Standing.WRONG
    is_first = matches[0]
    if kind == INVITE:
        return Standing.INVITATION if is_first else Standing.ISSUED
    return Standing.VALID if is_first else Standing.DEAD


def issue(text: str, secret: str) -> str:
    """Returns the text of a seat after a secret has been issued for its invitation."""
    _, (invited, *issued) = _parse(text)
    kept = [*issued, hash_secret(secret)][-MAX_ISSUED:]
    return f"{INVITE}:{','.join([invited, *kept])}"


def take(text: str, secret: str) -> str:
    """Returns the text of a seat after an issued secret has been used for the first time."""
    _, hashes = _parse(text)
    stays = hash_secret(secret)
    return f"{TAKEN}:{','.join([stays, *(each for each in hashes if each != stays)])}"


def admit(
    texts: Sequence[str], secrets: Mapping[int, str], new_secret: Callable[[], str] | None
) -> Admission:
    """Returns what follows when a client uses secrets, by seat.

    `new_secret` returns the secret that is issued for an invitation; with None, an invitation is
    not accepted. Raises RequestError `secret` if one of them is not valid. All seats must exist.
    """
    after = list(texts)
    issued: dict[int, str] = {}
    taken: set[int] = set()
    for seat, secret in secrets.items():
        worth = standing(after[seat], secret)
        if worth is Standing.DEAD:
            raise used_invitation(seat)
        if worth is Standing.ISSUED:
            after[seat] = take(after[seat], secret)
            taken.add(seat)
        elif worth is Standing.INVITATION and new_secret is not None:
            issued[seat] = new_secret()
            after[seat] = issue(after[seat], issued[seat])
        elif worth is not Standing.VALID:
            raise RequestError("secret", f"wrong secret for seat {seat}", _where(seat))
    return Admission(tuple(after), issued, frozenset(taken))


def used_invitation(seat: int) -> RequestError:
    """Returns the error of a client that uses a dead secret."""
    return RequestError("secret", USED_TEXT, _where(seat))


def _where(seat: int) -> str:
    return f"secrets.{seat}"


def _parse(text: str) -> tuple[str, list[str]]:
    """Returns the kind of a seat's text, empty for a plain secret, and its hashes."""
    kind, colon, rest = text.partition(":")
    if not colon:
        return "", [text] if text else []
    if kind not in (INVITE, TAKEN):
        raise ValueError(f"invalid secrets of a seat: kind {kind!r}, expected {INVITE} or {TAKEN}")
    return kind, rest.split(",")
