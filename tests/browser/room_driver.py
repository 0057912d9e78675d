"""Plays games in the browser as a person does: only from what is visible on the page."""

# The visible choices: centres of cells and pieces in viewport pixels, and enabled buttons.
# `number` is empty while the board does not show the latest event.
VISIBLE_CHOICES = """() => {
  const page = document.querySelector(".game-page");
  const centre = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const all = (selector) => [...document.querySelectorAll(selector)];
  return {
    number: page?.dataset.number || "",
    over: Boolean(document.querySelector("[data-action=rematch]")),
    one_click_moves: all(".overlay .destinations .one-click").map(centre),
    pieces: all(".shapes .draggable").map(centre),
    destinations: all(".overlay .destinations .destination").map(centre),
    buttons: all(".control:not(:disabled)").map((element) => element.dataset.word),
    nested: Boolean(document.querySelector(".levels")),
    blocks: all(".shapes .cell[data-cell]")
      .sort((a, b) => b.dataset.cell.length - a.dataset.cell.length).map(centre),
  };
}"""

# True when the board is up to date and a move can be made, or the game is over.
IS_TURN = f"""() => {{
  const choices = ({VISIBLE_CHOICES})();
  const playable = choices.one_click_moves.length + choices.pieces.length + choices.buttons.length;
  return Boolean(choices.number && (choices.over || playable));
}}"""


def visible_choices(page):
    """Returns the choices that the page shows, as a dictionary."""
    return page.evaluate(VISIBLE_CHOICES)


def start_game(page, title, players=None, options=None):
    """Starts a game from the front page with clicks."""
    page.goto("/")
    page.get_by_role("button", name=f"Play {title}", exact=True).click()
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
    page.wait_for_selector(".game-page[data-number]")


def open_room(page, server, game, seats=None, **settings):
    """Opens a new room in which the page plays all seats; `settings` are as in POST /api/rooms."""
    fields = next(entry for entry in server.request("/api/games") if entry["name"] == game)
    players = next((option for option in fields["options"] if option["name"] == "players"), None)
    seats = seats or (players["default"] if players else fields["seats"]["least"])
    room = server.request("/api/rooms", game=game, players=["human"] * seats, seed=7, **settings)
    page.goto("/learn")
    page.evaluate(
        "([id, mine]) => localStorage.setItem('rooms', JSON.stringify({[id]: {mine, others: {}}}))",
        [room["id"], room["secrets"]],
    )
    page.goto(f"/room/{room['id']}")
    page.wait_for_selector(".game-page[data-number] .shapes > *", state="attached")


def wait_for_turn(page, timeout_seconds=60):
    """Waits until a move can be made or the game is over; returns the visible choices."""
    from playwright.sync_api import TimeoutError

    try:
        page.wait_for_function(IS_TURN, timeout=1000 * timeout_seconds)
    except TimeoutError as error:
        status = page.inner_text(".status")
        raise AssertionError(f"no move was possible; status: {status}") from error
    return visible_choices(page)


def play_random_move(page, rng, click=None):
    """Plays a random move; returns False if the game is over. `click` may replace the mouse."""
    click = click or page.mouse.click
    choices = wait_for_turn(page)
    if choices["over"]:
        return False
    if choices["nested"]:
        _play_on_random_block(page, rng, click, choices)
    elif choices["pieces"] and not (
        choices["one_click_moves"] or (choices["buttons"] and rng.random() < 0.1)
    ):
        click(*rng.choice(choices["pieces"]))
        page.wait_for_selector(".overlay .destinations .destination")
        click(*rng.choice(visible_choices(page)["destinations"]))
    elif choices["one_click_moves"]:
        click(*rng.choice(choices["one_click_moves"]))
    else:
        page.locator(f'.control[data-word="{rng.choice(choices["buttons"])}"]').click()
    page.wait_for_function(
        "before => Number(document.querySelector('.game-page').dataset.number || 0) > before",
        arg=int(choices["number"]),
    )
    return True


def _play_on_random_block(page, rng, click, choices):
    """Selects a random block or one that contains it, then clicks a button to play."""
    click(*rng.choice(choices["blocks"]))
    page.wait_for_selector(".overlay .outline.selected")
    for _ in range(rng.randrange(3)):
        page.get_by_role("button", name="larger").click()
    highlighted = page.locator(".control.next:not(:disabled)")
    if highlighted.count():
        highlighted.nth(rng.randrange(highlighted.count())).click()
    else:
        page.locator(".control:not(:disabled)").last.click()


def listed_moves(page):
    """Returns the text of each entry in the move list: its number and the move."""
    return page.locator(".move-list li button").all_inner_texts()


def wait_for_moves(page, count):
    """Waits until the move list has at least `count` moves and the board shows the last one."""
    page.wait_for_function(
        "count => document.querySelectorAll('.move-list li').length >= count"
        " && document.querySelector('.game-page').dataset.number",
        arg=count,
    )


def wait_for_number(page, number):
    """Waits until the board shows the event of that number."""
    page.wait_for_function(
        "number => document.querySelector('.game-page').dataset.number === String(number)",
        arg=number,
    )


def board_rows(page):
    """Returns the board as text, row by row, as screen readers read it."""
    return page.locator(".game-page .board-frame ul").text_content()
