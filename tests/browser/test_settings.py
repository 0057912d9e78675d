"""The settings of a browser."""


def test_settings_survive_a_reload(page):
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Dark").check(force=True)
    page.get_by_label("Strong").check(force=True)
    background = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    page.reload()
    assert page.evaluate(background) == dark == "rgb(22, 24, 29)"
    assert page.evaluate("() => document.documentElement.dataset.marks") == "strong"
