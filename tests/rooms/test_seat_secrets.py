"""The secrets of a seat: from an invitation to a secret that stays."""

import pytest

from quincunx.rooms.errors import RequestError
from quincunx.rooms.seat_secrets import (
    MAX_ISSUED,
    USED_TEXT,
    Standing,
    admit,
    hash_secret,
    invitation,
    is_taken,
    issue,
    standing,
    take,
)


def standings(text, *secrets):
    return [standing(text, secret).value for secret in secrets]


def test_an_invitation_is_valid_until_an_issued_secret_is_used():
    text = issue(issue(invitation("i"), "a"), "b")
    assert standings(text, "i", "a", "b", "x") == ["invitation", "issued", "issued", "wrong"]
    assert not is_taken(text)
    text = take(text, "b")
    assert standings(text, "b", "i", "a", "x") == ["valid", "dead", "dead", "wrong"]
    assert is_taken(text)


def test_a_plain_hash_is_a_secret_that_stays():
    text = hash_secret("s")
    assert standings(text, "s", "x", "", text) == ["valid", "wrong", "wrong", "wrong"]
    assert not is_taken(text)
    assert admit([text], {0: "s"}, None).hashes == (text,)


def test_a_bot_has_no_secret():
    assert standings("", "", "-", "invite:", hash_secret("")) == ["wrong"] * 4


def test_only_hashes_are_in_the_text():
    text = take(issue(invitation("invited"), "issued"), "issued")
    assert text == f"taken:{hash_secret('issued')},{hash_secret('invited')}"


def test_a_secret_with_characters_that_cannot_be_encoded_is_wrong():
    assert standing(invitation("i"), "\ud800") is Standing.WRONG


def test_an_unknown_kind_of_text_is_reported():
    with pytest.raises(ValueError, match="kind 'later', expected invite or taken"):
        standing(f"later:{hash_secret('s')}", "s")


def test_the_newest_issued_secrets_are_kept():
    """A client whose answers were lost many times still gets in with the last one."""
    text = invitation("i")
    for number in range(MAX_ISSUED + 2):
        text = issue(text, f"secret {number}")
    assert standings(text, "i", "secret 0", "secret 1") == ["invitation", "wrong", "wrong"]
    newest = [f"secret {number}" for number in range(2, MAX_ISSUED + 2)]
    assert standings(text, *newest) == ["issued"] * MAX_ISSUED


def test_admitting_issues_a_secret_for_each_invitation():
    texts = (invitation("i"), hash_secret("s"), invitation("j"))
    names = iter(["new", "newer"])
    admission = admit(texts, {0: "i", 1: "s"}, lambda: next(names))
    assert (admission.issued, admission.taken) == ({0: "new"}, frozenset())
    assert admission.hashes == (issue(texts[0], "new"), *texts[1:])
    again = admit(admission.hashes, {0: "new"}, lambda: next(names))
    assert (again.issued, again.taken) == ({}, frozenset({0}))
    assert standings(again.hashes[0], "new", "i") == ["valid", "dead"]


@pytest.mark.parametrize(
    ("secrets", "text", "where"),
    [
        ({0: "x"}, "wrong secret for seat 0", "secrets.0"),
        ({1: "s", 0: "b"}, USED_TEXT, "secrets.0"),
        ({1: "i"}, "wrong secret for seat 1", "secrets.1"),
        ({2: "j"}, "wrong secret for seat 2", "secrets.2"),  # nothing was issued to be confirmed
    ],
)
def test_secrets_that_are_not_accepted(secrets, text, where):
    taken = take(issue(issue(invitation("i"), "a"), "b"), "a")
    with pytest.raises(RequestError) as error:
        admit((taken, hash_secret("s"), invitation("j")), secrets, None)
    assert (error.value.code, error.value.text, error.value.where) == ("secret", text, where)
