"""A real server and a real browser for all tests of the page; plainly skipped without one."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

import pytest

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
PATIENCE = 300  # seconds: the first start compiles the games

# What a page may never do: break the rules of its own Content-Security-Policy.
WATCH = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`));
"""
# What a browser says of a server that is gone for a moment is no fault of the page.
GONE = re.compile("ERR_CONNECTION_REFUSED|WebSocket connection to|ERR_EMPTY_RESPONSE")


def pytest_collection_modifyitems(items):
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.heavy)


class Server:
    """`quincunx serve` as a process that can be killed and started again at the same address."""

    def __init__(self, data):
        self.data = data
        self.port = 0
        self.process = None
        self.start()

    def start(self):
        command = [sys.executable, "-m", "quincunx", "serve", "--no-open"]
        command += ["--port", str(self.port), "--data", str(self.data)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=_surroundings()
        )
        try:
            said = self.process.stdout.readline()
            found = re.search(r"http://[\w.]+:(\d+)", said)
            assert found, f"the server did not say where it is: {said!r}"
            self.port = int(found[1])
            self.wait()
        except BaseException:
            self.stop()
            raise

    def wait(self):
        """Waits until all games are compiled, so that no test waits for that."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                for game in self.get("/api/games"):
                    alone = "level:1" if game["solo"] else None
                    seats = game["seats"]["least"]
                    options = {"players": seats} if seats < game["seats"]["most"] else {}
                    players = [alone or "human"] * seats
                    self.get("/api/rooms", game=game["name"], options=options, players=players)
                return
            except OSError:
                time.sleep(0.2)
        raise AssertionError("the server does not answer")

    def get(self, path, **body):
        """What the server answers to a GET, or with a body to a POST."""
        headers = {"content-type": "application/json"}
        data = json.dumps(body).encode() if body else None
        request = urllib.request.Request(self.url + path, data, headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

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


def _surroundings():
    """The user's own cache of compiled games: what is tested here is the page, not the compiler."""
    surroundings = {**os.environ, "COLUMNS": "200"}
    if "quincunx-tests-" in surroundings.get("NUMBA_CACHE_DIR", ""):
        del surroundings["NUMBA_CACHE_DIR"]
    return surroundings


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    pytest.importorskip("fastapi", reason="the page needs the extra `web`")
    pytest.importorskip("aiosqlite", reason="the page needs the extra `web`")
    running = Server(tmp_path_factory.mktemp("games"))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def chromium():
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="the tests of the page need playwright"
    )
    if not shutil.which(CHROMIUM):
        pytest.skip(f"the tests of the page need {CHROMIUM}")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def person(chromium, server):
    """Makes browsers of different people: each call is a new one, who remembers nothing."""
    contexts, faults = [], []

    def make(viewport=None, **settings):
        settings.setdefault("reduced_motion", "reduce")
        context = chromium.new_context(
            viewport=viewport or DESKTOP, base_url=server.url, **settings
        )
        context.set_default_timeout(30_000)
        context.add_init_script(WATCH)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
        page.on("console", lambda said: _heard(said, page, faults))
        contexts.append(context)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not faults, "\n".join(faults)


def _heard(said, page, faults):
    where = said.location.get("url", "")
    told = where.endswith("/api/read") and "status of 400" in said.text  # nonsense was pasted
    if said.type in ("error", "warning") and not told and not GONE.search(said.text):
        faults.append(f"{page.url}: {said.type}: {said.text} {where}")


@pytest.fixture
def page(person):
    """One person at a desk."""
    return person()
