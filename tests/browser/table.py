"""Playing on the page as people do: by what can be seen, never by what the program knows."""

import time

# What a hand can do now, in pixels of the screen: where a click plays, what can be picked up.
SEEN = """() => {
  const place = document.querySelector(".table");
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const all = (selector) => [...document.querySelectorAll(selector)];
  return {
    number: place?.dataset.number || "",
    over: Boolean(document.querySelector("[data-action=rematch]")),
    plays: all(".overlay .choices .single").map(middle),
    picks: all(".shapes .grab").map(middle),
    targets: all(".overlay .choices .target").map(middle),
    words: all(".control:not(:disabled)").map((element) => element.dataset.word),
    nested: Boolean(document.querySelector(".levels")),
    blocks: all(".shapes .cell[data-cell]")
      .sort((a, b) => b.dataset.cell.length - a.dataset.cell.length).map(middle),
  };
}"""


def seen(page):
    """What can be seen of the table."""
    return page.evaluate(SEEN)


def begin(page, game, players=None, options=None):
    """Starts a game from the front page, by clicks."""
    page.goto("/")
    page.get_by_role("button", name=f"Play {game}", exact=True).click()
    setup = page.locator(".setup")
    if options:
        setup.get_by_text("Options", exact=True).click()
        for label, value in options.items():
            field = setup.get_by_label(label)
            if field.evaluate("e => e.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
                field.blur()
    for seat, player in enumerate(players or ()):
        setup.locator(".seat select").nth(seat).select_option(player)
    setup.get_by_role("button", name="Start").click()
    page.wait_for_selector(".table[data-number]")


def ready(page, patience=60):
    """Waits until this person can move or the game is over; what can be seen then."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        now = seen(page)
        if now["number"] and (now["over"] or now["plays"] or now["picks"] or now["words"]):
            return now
        page.wait_for_timeout(40)
    raise AssertionError(f"nothing can be played: {page.inner_text('.status')}")


def move(page, dice, click=None):
    """Makes a move by chance with the mouse; False if the game is over."""
    click = click or page.mouse.click
    now = ready(page)
    if now["over"]:
        return False
    before = now["number"]
    if now["nested"]:
        _act_on_a_block(page, dice, click, now)
    elif now["picks"] and not (now["plays"] or (now["words"] and dice.random() < 0.1)):
        click(*dice.choice(now["picks"]))
        page.wait_for_selector(".overlay .choices .target")
        click(*dice.choice(seen(page)["targets"]))
    elif now["plays"]:
        click(*dice.choice(now["plays"]))
    else:
        page.locator(f'.control[data-word="{dice.choice(now["words"])}"]').click()
    page.wait_for_function(
        "before => Number(document.querySelector('.table').dataset.number || 0) > before",
        arg=int(before),
    )
    return True


def _act_on_a_block(page, dice, click, now):
    """Points at a block, goes outward by chance, and presses a button that is lit."""
    click(*dice.choice(now["blocks"]))
    page.wait_for_selector(".overlay .outline.picked")
    for _ in range(dice.randrange(3)):
        page.get_by_role("button", name="larger").click()
    lit = page.locator(".control.next:not(:disabled)")
    if lit.count():
        lit.nth(dice.randrange(lit.count())).click()
    else:
        page.locator(".control:not(:disabled)").last.click()


def moves(page):
    """The moves in the list, as they are written there."""
    return page.locator(".moves li button").all_inner_texts()


def until_moves(page, count):
    """Waits until so many moves are in the list and the board stands still."""
    page.wait_for_function(
        "count => document.querySelectorAll('.moves li').length >= count"
        " && document.querySelector('.table').dataset.number",
        arg=count,
    )


def board(page):
    """The board as it is read out: row by row."""
    return page.locator(".table .board-frame ul").text_content()
