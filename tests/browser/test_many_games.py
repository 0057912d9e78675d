"""The pages with more games than the package has, some with long titles and summaries."""

from itertools import combinations

import pytest

from tests.browser.conftest import DESKTOP, PHONE, Server

TABLET = {"width": 820, "height": 1180}
COUNTS = (5, 6, 9, 12)

# Each page with a selector of what it loads last.
PAGES = {
    "/?play=copy6": ".setup .seat select",
    "/games": ".results > *",
    "/games?view=ratings": ".results > *",
    "/learn": ".summaries li",
    "/learn/copy6": ".learn-page section:last-of-type",
    "/analysis": ".tabs a",
}

# Boxes of the cards and, for each, of what must be inside of it.
CARD_BOXES = """() => {
  const box = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y, width, height];
  };
  return [...document.querySelectorAll(".card")].map((card) => ({
    card: box(card),
    parts: [...card.querySelectorAll(".demo, h2, .summary p, button, .button")].map(box),
  }));
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with the largest number of games."""
    pytest.importorskip("fastapi", reason="the web pages need the extra `web`")
    pytest.importorskip("aiosqlite", reason="the web pages need the extra `web`")
    running = Server(tmp_path_factory.mktemp("many"), games=max(COUNTS))
    yield running
    running.stop()


@pytest.fixture
def open_page(new_page):
    """Returns a function that opens a page of a server with the first `count` games."""

    def open_(viewport, path, count):
        def first_games(route):
            games = route.fetch().json()
            route.fulfill(json=games[:count], headers={"content-type": "application/json"})

        page = new_page(viewport)
        page.route("**/api/games", first_games)
        page.goto(path)
        return page

    return open_


def overflow_pixels(page):
    """Returns the width by which the document exceeds the screen."""
    return page.evaluate("() => document.documentElement.scrollWidth - innerWidth")


def overlap(a, b):
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


def contains(outer, inner):
    tolerance = 0.5
    return (
        outer[0] - tolerance <= inner[0]
        and inner[0] + inner[2] <= outer[0] + outer[2] + tolerance
        and outer[1] - tolerance <= inner[1]
        and inner[1] + inner[3] <= outer[1] + outer[3] + tolerance
    )


@pytest.mark.parametrize("viewport", [DESKTOP, TABLET, PHONE], ids=["desktop", "tablet", "phone"])
@pytest.mark.parametrize("count", COUNTS)
def test_the_cards_of_the_front_page_are_aligned(open_page, viewport, count):
    page = open_page(viewport, "/", count)
    page.wait_for_selector(f".card:nth-child({count})")
    cards = page.evaluate(CARD_BOXES)
    assert len(cards) == count
    assert overflow_pixels(page) <= 0
    boxes = [card["card"] for card in cards]
    assert len({(round(width), round(height)) for _, _, width, height in boxes}) == 1, boxes
    assert not [pair for pair in combinations(boxes, 2) if overlap(*pair)]
    for card in cards:
        assert all(contains(card["card"], part) for part in card["parts"]), card
        assert not [pair for pair in combinations(card["parts"], 2) if overlap(*pair)], card
    rows = {}
    for x, y, *_ in boxes:
        rows.setdefault(round(y), []).append(round(x))
    first, last = min(rows.items())[1], max(rows.items())[1]
    assert all(row == first[: len(row)] for row in rows.values()), "columns are not aligned"
    assert len(last) > 1 or len(first) == 1, "a card stands alone in the last row"


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_card_can_be_used(open_page, viewport):
    page = open_page(viewport, "/", 12)
    page.wait_for_selector(".card:nth-child(12) .shapes > *", state="attached")
    for card in page.locator(".card").all():
        card.get_by_role("button").click(trial=True)
        card.get_by_role("link").click(trial=True)
    name = page.locator(".card").last.get_attribute("data-game")
    page.locator(".card").last.get_by_role("button").click()
    page.wait_for_selector(f".setup[data-game={name}]")
    page.locator(".card").last.get_by_role("link").click()
    page.wait_for_selector(".learn-page h2")
    assert page.url.endswith(f"/learn/{name}")


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_the_screen_with_all_games(open_page, viewport, path):
    page = open_page(viewport, path, 12)
    page.wait_for_selector(PAGES[path], state="attached")
    assert overflow_pixels(page) <= 0
