"""A real server and a real browser for the tests of the web pages; skipped if either is missing."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHROMIUM = "/usr/bin/chromium"
CHROMIUM_FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
READY_POLL_SECONDS = 0.2
STARTUP_SECONDS = 300  # the first start compiles the games
PAGE_TIMEOUT_MS = 30_000

# Reports violations of the pages' own Content-Security-Policy as console errors.
REPORT_CSP_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`));
"""
# The browser logs these while the server is down, which some tests do on purpose.
SERVER_DOWN = re.compile("ERR_CONNECTION_REFUSED|WebSocket connection to|ERR_EMPTY_RESPONSE")


def pytest_collection_modifyitems(items):
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.heavy)


class Server:
    """A `quincunx serve` process that can be killed and restarted at the same address.

    With `games`, it has this number of games: those of the package, and copies of them.
    """

    def __init__(self, data, games=0, arguments=()):
        self.data = data
        self.arguments = arguments
        self.module = ("tests.more_games", str(games)) if games else ("quincunx",)
        self.port = 0
        self.process = None
        self.start()

    def start(self):
        command = [sys.executable, "-m", *self.module, "serve", "--no-open"]
        command += ["--port", str(self.port), "--data", str(self.data), *self.arguments]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=_server_environment(), cwd=ROOT
        )
        try:
            line = self.process.stdout.readline()
            address = re.search(r"http://[\w.]+:(\d+)", line)
            assert address, f"the server did not print its address: {line!r}"
            self.port = int(address[1])
            self.wait_until_ready()
        except BaseException:
            self.stop()
            raise

    def wait_until_ready(self):
        """Waits until all games are compiled, so that no test has to."""
        deadline = time.monotonic() + STARTUP_SECONDS
        while time.monotonic() < deadline:
            try:
                for game in self.request("/api/games"):
                    player = "level:1" if game["solo"] else "human"
                    seats = game["seats"]["least"]
                    options = {"players": seats} if seats < game["seats"]["most"] else {}
                    self.request(
                        "/api/rooms", game=game["name"], options=options, players=[player] * seats
                    )
                return
            except OSError:  # busy
                time.sleep(READY_POLL_SECONDS)
        raise AssertionError("the server does not respond")

    def request(self, path, **body):
        """Returns the JSON response to a GET request, or to a POST request if there is a body."""
        headers = {"content-type": "application/json"}
        data = json.dumps(body).encode() if body else None
        request = urllib.request.Request(self.url + path, data, headers)
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)
        self.process.stdout.close()


def _server_environment():
    """Returns an environment with the user's own compile cache: these tests are about the pages."""
    environment = {**os.environ, "COLUMNS": "200"}
    if "quincunx-tests-" in environment.get("NUMBA_CACHE_DIR", ""):
        del environment["NUMBA_CACHE_DIR"]
    return environment


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    pytest.importorskip("fastapi", reason="the web pages need the extra `web`")
    pytest.importorskip("aiosqlite", reason="the web pages need the extra `web`")
    running = Server(tmp_path_factory.mktemp("games"))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def chromium():
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="the tests of the web pages need playwright"
    )
    if not shutil.which(CHROMIUM):
        pytest.skip(f"the tests of the web pages need {CHROMIUM}")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=list(CHROMIUM_FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium, server):
    """Returns a function that opens a page in a browser context of its own, without storage.

    Page errors and console errors on any of these pages fail the test.
    """
    contexts, errors = [], []

    def make(viewport=None, **settings):
        settings.setdefault("reduced_motion", "reduce")
        context = chromium.new_context(
            viewport=viewport or DESKTOP, base_url=server.url, **settings
        )
        context.set_default_timeout(PAGE_TIMEOUT_MS)
        context.add_init_script(REPORT_CSP_VIOLATIONS)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(f"{page.url}: {error}"))
        page.on("console", lambda message: _collect_error(message, page, errors))
        contexts.append(context)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not errors, "\n".join(errors)


def _collect_error(message, page, errors):
    source = message.location.get("url", "")
    invalid_paste = source.endswith("/api/read") and "status of 400" in message.text
    invalid_room = source.endswith("/api/rooms") and "status of 400" in message.text
    unknown_page = source.endswith(("/nowhere", "/new/nothing")) and "status of 404" in message.text
    expected = invalid_paste or invalid_room or unknown_page or SERVER_DOWN.search(message.text)
    if message.type in ("error", "warning") and not expected:
        errors.append(f"{page.url}: {message.type}: {message.text} {source}")


@pytest.fixture
def page(new_page):
    """A page on a desktop browser."""
    return new_page()
