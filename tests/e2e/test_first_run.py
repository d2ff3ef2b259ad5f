"""What a newcomer does: start Comanda, paste the printed order, stop it, start it again, follow the README."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from urllib.request import urlopen

import pytest
from comanda.devkit.testing import MAX_WAIT_SECONDS, Installation, create_data_folder, wait_for

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
# A shell block, and the JSON that the README shows below it, if it shows one.
BLOCKS = re.compile(r"```sh\n(.*?)```(?:\s*```json\n(.*?)```)?", re.DOTALL)


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory):
    data = create_data_folder()
    yield Installation(data / "data", {"PATH": path_with_curl(tmp_path_factory.mktemp("bin"))})
    shutil.rmtree(data)


class Starts:
    """Starts the newcomer's server, and again when it has been stopped."""

    def __init__(self, newcomer, stack):
        self._newcomer, self._stack = newcomer, stack
        self._server = None

    @property
    def server(self):
        if self._server is None or self._server.process.poll() is not None:
            self._server = self._stack.enter_context(self._newcomer.running("run"))
        return self._server


@pytest.fixture(scope="module")
def starts(newcomer):
    with ExitStack() as stack:
        yield Starts(newcomer, stack)


@pytest.fixture
def started(starts):
    return starts.server


def path_with_curl(folder):
    """Where this machine has no curl, a few lines of Python stand in for the options that we print."""
    if shutil.which("curl") is None:
        stand_in = folder / "curl"
        stand_in.write_text(f"#!{sys.executable}\n{(Path(__file__).parent / 'curl.py').read_text()}")
        stand_in.chmod(0o755)
    return os.pathsep.join([str(Path(sys.executable).parent), str(folder), os.environ["PATH"]])


def shell(newcomer, script):
    finished = subprocess.run(
        ["sh", "-e", "-c", script], cwd=ROOT, env=newcomer.environment(), capture_output=True, text=True,
        timeout=MAX_WAIT_SECONDS, check=False,
    )  # fmt: skip
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def printed_curl(server):
    return re.search(r"^curl (?:.*\\\n)+.*$", server.printed(), re.MULTILINE)[0]


def includes(answer, shown):
    """Tell whether an answer has what the README shows of it; ``…`` stands for whatever is there."""
    if shown == "…":
        return True
    if isinstance(shown, dict):
        return isinstance(answer, dict) and all(
            name in answer and includes(answer[name], shown[name]) for name in shown
        )
    if isinstance(shown, list):
        return isinstance(answer, list) and len(answer) >= len(shown) and all(map(includes, answer, shown))
    return answer == shown


def test_the_printed_command_places_an_order_and_the_links_answer(newcomer, started):
    order = json.loads(shell(newcomer, printed_curl(started)))

    assert (order["status"], order["type"], order["currency"]) == ("new", "takeaway", "EUR")
    assert [line["quantity"] for line in order["items"]] == [2, 1]
    assert order["total"] == sum(line["line_total"] for line in order["items"])
    links = re.findall(r"http://localhost:\d+/\S*", started.printed().partition("Demo tokens")[0])
    assert len(links) >= 3
    for link in links:
        with urlopen(link) as answer:
            assert answer.status == 200


def test_the_demo_menu_is_a_whole_restaurant(started):
    site, store_id = re.search(r"restaurant (\d+) +(http://[^/]+)", started.printed()).group(2, 1)
    with urlopen(f"{site}/api/v1/menu/{store_id}") as answer:
        menu = json.load(answer)

    items = [item for category in menu for item in category["items"]]
    assert len(menu) == 6
    assert len(items) == 50  # one of the fifty-one is sold out, and guests do not see it
    assert all(item["description"] and item["price"] > 0 for item in items)
    assert len({item["name"] for item in items}) == 50
    assert any(item["variations"] for item in items)
    groups = [group for item in items for group in item["extra_groups"]]
    assert any(group["is_required"] for group in groups)
    assert any(group["free_count"] for group in groups)
    assert {"is_vegan", "is_halal", "calories"} <= items[0].keys()


def test_every_command_of_the_readme_does_what_it_shows(newcomer, started):
    tour = README.read_text(encoding="utf-8").partition("## Five minutes")[2].partition("\n## ")[0]
    blocks = BLOCKS.findall(tour)
    assert len(blocks) >= 6

    marks = [f"echo; echo '=== {number}'\n{commands}" for number, (commands, _) in enumerate(blocks)]
    printed = re.split(r"\n=== \d+\n", shell(newcomer, "\n".join(marks)))[1:]

    for (commands, shown), answer in zip(blocks, printed, strict=True):
        if shown:
            assert includes(json.loads(answer), json.loads(shown)), f"{commands}\nanswered {answer}"


def test_the_printed_receiver_verifies_the_webhook_of_an_order(newcomer, started, tmp_path):
    line = re.search(r"^\S*comanda listen --register .*$", started.printed(), re.MULTILINE)[0]
    heard = tmp_path / "heard.txt"
    with heard.open("w") as output, \
         subprocess.Popen([*shlex.split(line), "--port", "0"], env=newcomer.environment(), stdin=subprocess.DEVNULL,
                          stdout=output, stderr=subprocess.STDOUT) as receiver:  # fmt: skip
        try:
            wait_for(lambda: "registered" in heard.read_text().lower(), "the receiver", show=heard.read_text)
            order = json.loads(shell(newcomer, printed_curl(started)))
            wait_for(
                lambda: "order.created" in heard.read_text() and str(order["id"]) in heard.read_text(),
                "the event of the order",
                show=heard.read_text,
            )
        finally:
            receiver.send_signal(signal.SIGINT)
    assert re.search(r"order\.created +msg_\S+ +verified$", heard.read_text(), re.MULTILINE), heard.read_text()


def test_a_second_start_finds_what_the_first_one_left(newcomer, starts):
    first = starts.server
    assert first.stop(signal.SIGINT) == 0
    second = starts.server
    assert second.stop(signal.SIGTERM) == 0

    assert "Stopped." in second.printed()
    tokens = [re.findall(r"own_\w+", server.printed())[:2] for server in (first, second)]
    orders = [re.search(r"/restaurants/(\d+)/orders", server.printed())[1] for server in (first, second)]
    assert len(tokens[0]) == 2
    assert tokens[0] == tokens[1]
    assert orders[0] == orders[1]
    assert not (newcomer.data / "postgres" / "postmaster.pid").exists()
