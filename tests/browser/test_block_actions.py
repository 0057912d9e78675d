"""The actions of a board of blocks: those that the chosen block allows, with a preview."""

from tests.browser.room_driver import open_room, wait_for_moves

BOARD = "(rgby) blob:r-0,blob:b-0 0 0"  # four unit cells
OPTIONS = {"depth": 1}


def visible_actions(page):
    buttons = page.locator(".control:visible")
    return buttons.evaluate_all("all => all.map((button) => button.dataset.word)")


def fills(page, selector):
    """Returns the colours of the cells that a selector finds, row by row."""
    return page.evaluate(
        "selector => [...document.querySelectorAll(selector)]"
        ".map((e) => ({ box: e.getBoundingClientRect(), fill: e.querySelector('rect') ?? e }))"
        ".sort((a, b) => Math.round(a.box.y - b.box.y) || a.box.x - b.box.x)"
        ".map(({ fill }) => getComputedStyle(fill).fill)",
        selector,
    )


def test_only_possible_actions_are_shown_and_previewed(page, server):
    open_room(page, server, "blocky", options=OPTIONS, start=BOARD)
    page.wait_for_selector(".control:not(:disabled)")
    assert visible_actions(page) == ["pass"]
    before = fills(page, ".shapes .cell[data-cell]")
    box = page.locator(".shapes .cell[data-cell]").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector(".overlay .outline.selected")
    assert visible_actions(page) == ["paint:g", "paint:b", "paint:y", "pass"]
    page.get_by_role("button", name="larger").click()
    assert visible_actions(page) == ["cw", "ccw", "hswap", "vswap", "pass"]
    page.locator(".control[data-word=hswap]").hover()
    page.wait_for_selector(".overlay .preview > .cell", state="attached")
    swapped = [before[1], before[0], before[3], before[2]]
    assert fills(page, ".overlay .preview > .cell") == swapped
    page.locator(".control[data-word=vswap]").focus()
    page.mouse.move(5, 400)
    page.wait_for_selector(".overlay .preview > *", state="detached")
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")  # the focus previews too
    page.wait_for_selector(".overlay .preview > .cell", state="attached")
    assert fills(page, ".overlay .preview > .cell") == [*before[2:], *before[:2]]
    page.keyboard.press("Enter")
    wait_for_moves(page, 1)
    assert page.locator(".overlay .preview > *").count() == 0
    assert fills(page, ".shapes .cell[data-cell]") == [*before[2:], *before[:2]]


def test_there_is_one_scoreboard_and_the_next_player_is_marked_after_the_move(page, server):
    page.emulate_media(reduced_motion="no-preference")
    open_room(page, server, "blocky", options=OPTIONS, start=BOARD)
    page.wait_for_selector(".shapes .score", state="attached")
    assert page.locator(".players .value").count() == 0
    # The seat that is marked in the list when each picture of the move is drawn.
    page.evaluate("""() => {
      window.marked = [];
      const board = document.querySelector(".board");
      new MutationObserver(() => {
        const seat = [...document.querySelectorAll(".players > .player")]
          .findIndex((e) => e.classList.contains("to-move"));
        window.marked.push([board.classList.contains("animating"), seat]);
      }).observe(board.querySelector(".shapes"), { childList: true });
    }""")
    page.keyboard.press("p")  # passes: nothing moves
    page.wait_for_selector(".players > .to-move:nth-child(2)")
    page.locator(".game-page .board").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.press("-")
    page.keyboard.press("]")
    page.wait_for_selector(".players > .to-move:nth-child(1)")
    marked = page.evaluate("window.marked")
    assert [True, 1] in marked
    assert [True, 0] not in marked[marked.index([True, 1]) :]
