"""The site under a path of another one: called directly, and through nginx."""

import json
import re
import shutil
import socket
import subprocess
import urllib.request
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from tests.browser.conftest import Server

ROOT_PATH = "/games"  # which is also the address of one of the site's pages
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin")
# As in docs/operators.md. With a path after the address, nginx removes its own path from requests.
CONFIGURATION = """
daemon off;
pid {directory}/nginx.pid;
error_log stderr;
events {{}}
http {{
  access_log off;
  client_body_temp_path {directory}/body;
  proxy_temp_path {directory}/proxy;
  fastcgi_temp_path {directory}/fastcgi;
  uwsgi_temp_path {directory}/uwsgi;
  scgi_temp_path {directory}/scgi;
  map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
  server {{
    listen 127.0.0.1:{port};
    location {path}/ {{
      proxy_pass http://127.0.0.1:{upstream}{stripped};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
    }}
  }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def nginx(directory, upstream, stripped):
    """Runs nginx before a server; gives its port."""
    port = free_port()
    file = directory / "nginx.conf"
    fields = {"directory": directory, "port": port, "upstream": upstream, "path": ROOT_PATH}
    file.write_text(CONFIGURATION.format(**fields, stripped="/" if stripped else ""))
    process = subprocess.Popen([NGINX, "-p", directory, "-c", file])
    try:
        for _ in range(1000):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert process.poll() is None, "nginx did not start"
        yield port
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    arguments = ("--root-path", ROOT_PATH, "--proxy", "127.0.0.1")
    running = Server(tmp_path_factory.mktemp("games"), arguments=arguments)
    yield running
    running.stop()


@pytest.fixture(params=["direct", "kept", "stripped"])
def address(request, site, tmp_path):
    if request.param == "direct":
        yield f"{site.url}{ROOT_PATH}"
        return
    if NGINX is None:
        pytest.skip("this test needs nginx")
    with nginx(tmp_path, site.port, request.param == "stripped") as port:
        yield f"http://127.0.0.1:{port}{ROOT_PATH}"


def test_every_page_works_under_a_path(address, new_page):
    page = new_page()
    outside = []
    page.on("request", lambda request: outside.append(request.url))
    page.goto(f"{address}/")
    page.wait_for_selector(".card:nth-child(5) .shapes > *")  # drawn through the socket
    page.get_by_role("link", name="Learn", exact=True).click()
    page.wait_for_url(f"{address}/learn")
    page.get_by_role("link", name="Quorum").first.click()
    page.wait_for_url(f"{address}/learn/quorum")
    page.get_by_role("link", name="Analysis", exact=True).click()
    page.wait_for_url(f"{address}/analysis")
    page.get_by_role("link", name="Onoro").click()
    page.wait_for_selector(".shapes > *")
    page.get_by_role("link", name="Games", exact=True).click()
    page.wait_for_url(re.compile(f"{re.escape(address)}/games"))
    page.reload()
    page.get_by_role("heading", name="Games").wait_for()
    page.goto(f"{address}/learn/quorum")
    page.get_by_role("heading", name="Quorum").first.wait_for()
    page.get_by_role("link", name="Quincunx").click()
    page.wait_for_url(f"{address}/")
    assert [url for url in outside if not url.startswith((f"{address}/", "data:", "blob:"))] == []


def test_a_game_is_played_under_a_path(address, new_page):
    body = json.dumps({"game": "quorum", "players": ["human", "human"]}).encode()
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(f"{address}/api/rooms", body, headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        made = SimpleNamespace(**json.load(response))
    secret = made.secrets["0"]
    page = new_page()
    page.goto(f"{address}/room/{made.id}#seat=0&secret={secret}")
    page.wait_for_url(f"{address}/room/{made.id}")  # without the secret
    page.wait_for_selector(".shapes > *")
    page.reload()  # the secret is stored
    page.wait_for_selector(".shapes > *")
    page.keyboard.press("/")
    page.get_by_label("Move", exact=True).fill("a1e3")
    page.keyboard.press("Enter")
    page.get_by_text("a1e3").first.wait_for()
    stored = page.evaluate("() => Object.keys(localStorage)")
    assert any(key.startswith(f"{ROOT_PATH}secret:{made.id}:0:") for key in stored)
