"""The examples of the API reference, run as their readers run them: in Python, with curl and in JavaScript."""

import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from urllib.request import urlopen

import pytest
from comanda.devkit.testing import open_store

NODE = shutil.which("node")
CURL = shutil.which("curl")
SECONDS = 120
TAG = re.compile(r"<[^>]+>")
# Operations whose examples work in a store with one category, in any order, and what they answer.
RUNNABLE = (
    ("account", "get-caller", "owner"),
    ("stores", "list-stores", "Documented"),
    ("menu", "create-category", "position"),
    ("menu", "list-categories", "position"),
    ("orders", "list-orders", "current_page"),
    ("webhooks", "list-events", "order.created"),
    ("public", "get-public-menu", ""),
)


@pytest.fixture(scope="session")
def store(installation, server):
    store = open_store(installation, lambda: server.url, "Documented")
    store.send("POST", "/menu/categories", {"name": "Soups"})
    return store


@pytest.fixture(scope="session")
def read_example(store):
    """Return a function that reads an example off its page, with the reader's token as the page's script inserts it."""
    pages = {}

    def read(section, anchor, language):
        if section not in pages:
            with urlopen(f"{store.url()}/docs/{section}/") as answer:
                pages[section] = answer.read().decode()
        page = pages[section]
        begin = page.index(f'data-language="{language}"', page.index(f' id="{anchor}"'))
        code = unescape(TAG.sub("", page[page.index("<code>", begin) : page.index("</code>", begin)]))
        assert store.url().replace("127.0.0.1", "localhost") in code.replace("127.0.0.1", "localhost")
        # The first store has another number where tests before made some.
        code = re.sub(r"(/restaurants|/menu)/1\b", rf"\1/{store.id}", code)
        return code.replace("own_YOUR_TOKEN", store.token)

    return read


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False, **options)


@pytest.mark.parametrize(("section", "anchor", "shown"), RUNNABLE)
def test_examples_in_python_run(read_example, section, anchor, shown):
    code = read_example(section, anchor, "python")

    done = run([sys.executable, "-c", code], env={**os.environ, "NO_PROXY": "*"})

    assert done.returncode == 0, done.stderr
    assert shown in done.stdout


@pytest.mark.skipif(CURL is None, reason="curl is not installed")
@pytest.mark.parametrize(("section", "anchor", "shown"), RUNNABLE)
def test_examples_in_curl_run(read_example, section, anchor, shown):
    code = read_example(section, anchor, "curl").replace("curl", f"{CURL} -sS --fail --noproxy '*'", 1)

    done = run(["sh", "-c", code])

    assert done.returncode == 0, done.stderr
    assert shown in done.stdout
    json.loads(done.stdout)


@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
@pytest.mark.parametrize(("section", "anchor", "shown"), RUNNABLE)
def test_examples_in_javascript_run(read_example, section, anchor, shown):
    code = read_example(section, anchor, "javascript")

    done = run([NODE, "--input-type=module", "-e", code])

    assert done.returncode == 0, done.stderr
    assert shown in done.stdout


@pytest.mark.skipif(CURL is None, reason="curl is not installed")
def test_a_refused_example_says_which_fields_are_wrong(read_example):
    code = read_example("orders", "place-order", "curl").replace("curl", f"{CURL} -sS --noproxy '*'", 1)

    done = run(["sh", "-c", code])

    # The example's item is not on this menu; everything before that check has gone well.
    answer = json.loads(done.stdout)
    assert answer["code"] == "validation_failed"
    assert list(answer["errors"]) == ["items.0.item_id"]
