"""The analysis: best moves, variations, positions and options from the address."""

from tests.browser.room_driver import listed_moves, visible_choices


def test_the_analysis_lists_best_moves_and_keeps_variations(page):
    page.goto("/analysis?game=quorum")
    page.wait_for_selector(".best-moves li")
    page.wait_for_selector(".overlay .move.best")
    for index in (0, 1):
        page.mouse.click(*visible_choices(page)["pieces"][0])
        page.mouse.click(*visible_choices(page)["destinations"][index])
        page.wait_for_selector(".variation-tree [aria-current]")
        page.keyboard.press("ArrowLeft")
        page.wait_for_function("() => !document.querySelector('.variation-tree [aria-current]')")
        page.wait_for_selector(".shapes .draggable")
    page.wait_for_selector(".variation-tree .variation")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**moves=**")
    address = page.url
    page.reload()
    page.wait_for_selector(".variation-tree button[aria-current]")
    assert page.url == address


def test_a_solved_position_shows_the_number_of_moves_to_the_win(page):
    page.goto("/analysis?game=onoro&start=..W./.WWB/BBB./W... b -2,-1")
    best = page.locator(".best-moves li").first
    best.wait_for()
    page.wait_for_function(
        "() => document.querySelector('.best-moves').textContent.includes('wins in 1')"
    )
    assert "1,1" in best.inner_text()
    assert page.locator(".value-bar .caption").inner_text() == "Black wins in 1"


def test_a_game_can_start_from_an_analysed_position(page):
    page.goto("/analysis?game=onoro&moves=-1%2C0")
    page.get_by_role("link", name="Play from here").click()
    page.locator(".setup").get_by_role("button", name="Start").click()
    page.wait_for_selector(".game-page[data-number]")
    assert len(listed_moves(page)) <= 1


def test_the_analysis_uses_the_options_of_the_address(page):
    page.goto("/analysis?game=wzlz&options=rows%3D5%2Ccols%3D4&seed=3")
    page.wait_for_selector(".game-page.analysis .shapes > *", state="attached")
    assert page.locator(".shapes .cell").count() == 20
    with page.expect_download() as download:
        page.get_by_role("link", name="SVG").click()
    assert download.value.path().read_text().count('class="cell"') == 20
