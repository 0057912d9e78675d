"""Every page, in light and dark and on a phone, checked by axe."""

from pathlib import Path

import pytest

from quincunx.registry import BUILT_IN
from tests.browser.conftest import PHONE
from tests.browser.room_driver import open_room

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
SCHEMES = ("light", "dark")

# Each page with a selector of what it loads last.
PAGES = {
    "/": f".card:nth-child({len(BUILT_IN)}) .shapes > *",
    **{f"/?play={name}": ".setup .seat select" for name in BUILT_IN},
    "/analysis": ".tabs a",
    "/analysis?game=quorum": ".best-moves li",
    "/learn": ".summaries li",
    "/learn/blocky": ".learn-page section",
    "/games": ".results > *",
    "/games?view=scores": ".results > *",
    "/games?view=ratings": ".results > *",
}

RUN_AXE = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, help, nodes }) => {
      const reasons = nodes.map(({ any, target }) => `${target} (${any.map((c) => c.message)})`);
      return `${id}: ${help}: ${reasons.join("; ")}`;
    });
}"""


def violations(page):
    """Returns the serious and critical violations that axe finds on a page."""
    if not AXE.exists():
        pytest.skip("axe is missing: `make lint` installs it")
    page.add_script_tag(content=AXE.read_text(encoding="utf-8"))
    return page.evaluate(RUN_AXE)


@pytest.fixture
def open_page(new_page):
    """Returns a function that opens a page; axe is a script that the pages' own policy forbids."""

    def make(scheme, viewport=None, **settings):
        return new_page(viewport, bypass_csp=True, color_scheme=scheme, **settings)

    return make


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_accessible(open_page, scheme, path):
    page = open_page(scheme)
    page.goto(path)
    page.wait_for_selector(PAGES[path], state="attached")
    if page.locator(".setup").count():
        page.locator(".setup summary").click()
    assert violations(page) == []


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("game", BUILT_IN)
def test_a_room_is_accessible(open_page, server, scheme, game):
    page = open_page(scheme)
    clock = {} if game == "sphero" else {"clock": {"minutes": 5, "increment": 3}}
    open_room(page, server, game, **clock)
    assert violations(page) == []


@pytest.mark.parametrize("path", ["/", "/games", "/analysis?game=quorum"])
def test_a_page_is_accessible_on_a_phone(open_page, path):
    page = open_page("light", PHONE, has_touch=True, is_mobile=True)
    page.goto(path)
    page.wait_for_selector(PAGES[path], state="attached")
    assert violations(page) == []
    assert page.get_by_role("button", name="Settings").is_visible()


def test_settings_and_shortcuts_are_accessible(open_page):
    page = open_page("light")
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_selector(".popover.shortcuts")
    assert violations(page) == []
