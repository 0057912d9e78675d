"""Errors of requests: stable codes, a text for people, and the field that an error is about."""

from __future__ import annotations

from quincunx import errors

# The codes in the field `error`; they are stable, so that clients can rely on them.
ERROR_CODES = (
    *("json", "message", "large", "rate", "busy", "room", "seat", "secret", "turn", "late"),
    *("syntax", "illegal", "over", "paused", "refused", "option", "position", "record", "origin"),
)

CODES_BY_EXCEPTION: tuple[tuple[type[Exception], str], ...] = (
    (errors.MoveSyntax, "syntax"),
    (errors.IllegalMove, "illegal"),
    (errors.BadOption, "option"),
    (errors.BadPosition, "position"),
    (errors.BadRecord, "record"),
    (errors.MissingExtra, "refused"),
    (errors.BadTable, "refused"),
)


class RequestError(Exception):
    """Why a request failed: a stable code, a text for people, and the field that it is about."""

    def __init__(self, code: str, text: str, where: str = "") -> None:
        super().__init__(code, text, where)
        self.code = code
        self.text = text
        self.where = where

    @property
    def word(self) -> str:
        """The former name of `code`, for programs that use `quincunx.client`."""
        return self.code

    def __str__(self) -> str:
        return self.text

    def as_dict(self) -> dict[str, str]:
        """Returns the fields of the error in a message."""
        return {"error": self.code, "text": self.text, "where": self.where}


def as_request_error(error: Exception) -> RequestError:
    """Returns a RequestError for an error of this package; raises any other error again."""
    if isinstance(error, RequestError):
        return error
    for kind, code in CODES_BY_EXCEPTION:
        if isinstance(error, kind):
            return RequestError(
                code, errors.message_for_people(error), getattr(error, "name", None) or ""
            )
    raise error
