"""Calls written for curl, Python and JavaScript: each is a program of its language, for every operation."""

import json
import shlex
import shutil
import subprocess
from functools import cache

import pytest
from comanda.web.api_reference.call_samples import SampleCall, write_curl, write_javascript, write_python
from comanda.web.api_reference.catalog import EVENTS, Catalog
from comanda.web.api_reference.operation_samples import create_call, create_placeholder
from installed_plugins import get_registry

REGISTRY = get_registry()
CATALOG = Catalog(REGISTRY)
NODE = shutil.which("node")
# What a shell, Python and JavaScript each read as more than itself.
HOSTILE = {"note": 'It\'s "5 $HOME `x` \\n" — não\n', "none": None, "yes": True, "list": [], "of": [{"a": 1.5}]}


@cache
def list_calls():
    return list(create_calls())


def create_calls():
    for section in CATALOG.sections:
        if section.name != EVENTS:
            content = CATALOG.read(section.name)
            for operation in content.operations:
                yield operation, create_call(operation, content.schemas, REGISTRY.caller_kinds, "https://eat.example")


def split_shell(code):
    words = shlex.split(code.replace("\\\n", ""))
    assert words[0] == "curl"
    return words


def test_every_operation_has_a_command():
    assert len(list_calls()) == sum(len(section.entries) for section in CATALOG.sections if section.name != EVENTS)
    for operation, call in list_calls():
        words = split_shell(write_curl(call))
        assert call.url in words
        assert call.url.startswith("https://eat.example/"), "the address is the reader's own"
        assert "{" not in call.url
        if call.body is not None:
            assert json.loads(words[words.index("-d") + 1]) == call.body, operation["operationId"]


def test_every_python_example_is_a_program():
    for operation, call in list_calls():
        compile(write_python(call), operation["operationId"], "exec")


@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
def test_every_javascript_example_is_a_module(tmp_path):
    # All of them in one file, each in a block of its own.
    program = tmp_path / "examples.mjs"
    program.write_text("\n".join(f"{{\n{write_javascript(call)}\n}}" for _, call in list_calls()), encoding="utf-8")

    done = subprocess.run([NODE, "--check", program], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


def test_hostile_texts_stay_texts(monkeypatch):
    call = SampleCall("POST", "https://eat.example/a?b=c%20d", {"X-Name": "a b"}, HOSTILE)
    words = split_shell(write_curl(call))
    assert json.loads(words[words.index("-d") + 1]) == HOSTILE

    sent = {}
    program = write_python(call).replace("import requests", "").replace("response.raise_for_status()", "")
    exec(program.replace("print(response.json())", ""), {"requests": Recorder(sent)})
    assert sent == {"url": call.url, "headers": {"X-Name": "a b"}, "json": HOSTILE}


class Recorder:
    """Stands for the library requests in an example."""

    def __init__(self, sent):
        self._sent = sent

    def post(self, url, **options):
        self._sent.update(url=url, **options)


@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
def test_hostile_texts_stay_texts_in_javascript():
    call = SampleCall("POST", "https://eat.example/a", {}, HOSTILE)
    before = "globalThis.fetch = async (url, options) => ({ok: true, json: async () => options.body});\n"

    done = subprocess.run(
        [NODE, "--input-type=module", "-e", before + write_javascript(call)], capture_output=True, text=True, check=True
    )

    assert json.loads(done.stdout) == HOSTILE


def find(method, path):
    return next(
        (operation, call)
        for operation, call in list_calls()
        if (operation["method"], operation["path"]) == (method, path)
    )


def test_an_order_is_placed_with_a_key():
    operation, call = find("POST", "/api/v1/restaurants/{id}/orders")

    assert call.url == "https://eat.example/api/v1/restaurants/1/orders"
    assert call.headers["Authorization"] == "Bearer own_YOUR_TOKEN"
    assert call.headers["Idempotency-Key"]
    assert call.body["type"] == "takeaway"
    # Apps call it for their owner.
    assert create_placeholder(operation, REGISTRY.caller_kinds).prefixes == ("own_", "app_")


def test_a_storefront_sends_its_own_header():
    _, call = find("GET", "/api/v1/storefront/menu")

    assert call.headers == {"X-Storefront-Token": "sf_YOUR_TOKEN"}


def test_a_public_operation_sends_no_token():
    operation, call = find("GET", "/api/v1/menu/{restaurantId}")

    assert call.headers == {}
    assert create_placeholder(operation, REGISTRY.caller_kinds) is None


def test_values_of_a_reader_are_encoded():
    content = CATALOG.read("orders")
    operation = next(each for each in content.operations if each["operationId"] == "get_restaurants_id_orders_orderId")
    call = create_call(
        operation,
        content.schemas,
        REGISTRY.caller_kinds,
        "http://localhost:8000",
        {"id": "4", "orderId": "a/b?"},
        "own_mine",
    )

    assert call.url == "http://localhost:8000/api/v1/restaurants/4/orders/a%2Fb%3F"
    assert call.headers == {"Authorization": "Bearer own_mine"}
