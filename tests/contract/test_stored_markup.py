"""Markup in stored texts: every text that a route takes is stored with a tag in it, and no page ever shows the tag."""

import copy
import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from comanda.accounts import administration
from comanda.contracts.web.dashboard import PREFIX
from comanda.devkit.testing.dashboard import sign_in
from installed_plugins import get_registry
from route_requests import filled
from workshop import HOLDERS, Workshop

MARKUP = "\"'><b data-stored>"
ESCAPED = "&lt;b data-stored&gt;"
ATTEMPTS = 6
# Of pages with the same address but for numbers, as many are read.
PAGES_OF_A_KIND = 4
TAG = re.compile(r"""<[a-zA-Z][^<>"']*(?:"[^"]*"[^<>"']*|'[^']*'[^<>"']*)*>""")
ADDRESSES = ("href", "src", "action", "formaction", "data-url", "data-action")
# Documents that show nothing of an owner's.
LEFT_OUT = ("/api/", "/docs", "/openapi")


def list_writes():
    """List the routes that take a body, with the first kind of caller that tests can be."""
    found = []
    for route in get_registry().routes:
        kinds = [kind for kind in ("owner", *HOLDERS) if kind in route.callers]
        if kinds and route.is_rest and route.method != "GET" and route.binding.body is not None:
            found.append((kinds[0], route))
    return found


def mark(value, schema, root, path=()):
    """Return a copy of a body with markup in every plain text, and the paths of the texts that it replaced or added."""
    schema = resolve(schema, root)
    if schema.get("type") == "object":
        made = dict(value) if isinstance(value, dict) else {}
        paths = []
        for name, declared in schema.get("properties", {}).items():
            inner = resolve(declared, root)
            if inner.get("type") == "string" or name in made:
                changed, more = mark(made.get(name), inner, root, (*path, name))
                if more:
                    made[name] = changed
                    paths += more
        return made, paths
    if schema.get("type") == "array" and isinstance(value, list) and value:
        marked = [mark(each, schema.get("items", {}), root, (*path, number)) for number, each in enumerate(value)]
        return [each for each, _ in marked], [found for _, paths in marked for found in paths]
    if schema.get("type") == "string" and not schema.keys() & {"enum", "const", "format"}:
        return MARKUP + (f"@{len(path)}.example" if path[-1] in {"email", "login_email"} else ""), [path]
    return value, []


def resolve(schema, root):
    """Return a schema without references and null, and of several forms the object, the list or the text."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    for option in schema.get("anyOf", ()):
        inner = resolve(option, root)
        if inner.get("type") in {"object", "array", "string"}:
            return inner
    return schema


def restore(body, sample, path):
    """Put back what the sample has at a path, in place."""
    for step in path[:-1]:
        body, sample = body[step], sample[step] if _has(sample, step) else None
    if _has(sample, path[-1]):
        body[path[-1]] = copy.deepcopy(sample[path[-1]])
    elif isinstance(body, dict):
        body.pop(path[-1], None)


def _has(container, step):
    return (isinstance(container, dict) and step in container) or (
        isinstance(container, list) and isinstance(step, int) and step < len(container)
    )


async def store_markup(client, workshop, kind, route):
    """Send a body with as much markup as the route takes; return the fields that took it."""
    auth = workshop.owner.auth if kind == "owner" else await HOLDERS[kind](workshop)
    ids = await workshop.ids_of(route)
    sample = await workshop.body_of(route, ids)
    schema = route.binding.body.model_json_schema()
    body, paths = mark(sample, schema, schema)
    for _ in range(ATTEMPTS):
        if not paths:
            return []
        response = await client.open(filled(route, ids), method=route.method, headers=auth, json=body)
        if response.status_code < 300:
            return [".".join(map(str, path)) for path in paths]
        assert response.status_code < 500, (route.path, body)
        named = set((await response.get_json()).get("errors", {})) if response.status_code == 422 else set()
        refused = [path for path in paths if any(is_about(name, path) for name in named)]
        if not refused:
            return []
        for path in refused:
            restore(body, sample, path)
        paths = [path for path in paths if path not in refused]
    return []


def is_about(name, path):
    steps = tuple(name.split("."))
    return steps == tuple(map(str, path))[: len(steps)]


class Links(HTMLParser):
    """The addresses in a tag, those of scripts among them."""

    def __init__(self, tag):
        super().__init__()
        self.found, self.scripts = [], []
        self.feed(tag)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ADDRESSES and value:
                (self.scripts if re.match(r"\s*(javascript|data|vbscript):", value, re.I) else self.found).append(value)
            # Attributes of handlers, which nothing of ours has.
            assert not name.startswith("on"), (tag, name)


# Pages have most of their tags in common, and to parse them takes longer than to make them.
parse_links = cache(Links)


def to_kind(address):
    return re.sub(r"\d+", "N", urlsplit(address).path)


async def read_pages(client, starts):
    """Return the HTML of the pages that can be reached from some, at most four of a kind."""
    waiting, seen, kinds, pages = list(starts), set(starts), Counter(), {}
    while waiting:
        address = waiting.pop(0)
        kinds[to_kind(address)] += 1
        if kinds[to_kind(address)] > PAGES_OF_A_KIND:
            continue
        response = await client.get(address)
        assert response.status_code < 500, address
        if "html" not in response.headers.get("Content-Type", ""):
            continue
        pages[address] = text = await response.get_data(as_text=True)
        tags = [parse_links(tag) for tag in dict.fromkeys(TAG.findall(text))]
        assert not [each for tag in tags for each in tag.scripts if not each.startswith("data:image/")], address
        for link in dict.fromkeys(each for tag in tags for each in tag.found):
            target = urlsplit(urljoin(f"http://comanda.test{address}", link))
            path = target.path + (f"?{target.query}" if target.query else "")
            if target.netloc == "comanda.test" and path not in seen and not path.startswith(LEFT_OUT):
                seen.add(path)
                waiting.append(path)
    return pages


@pytest.fixture
async def stored(client, owner):
    """Store markup in every field of every route, and return the fields by route."""
    found = {}
    for kind, route in list_writes():
        workshop = Workshop(client, owner, home=await owner.store() if kind != "owner" else None)
        found[f"{route.method} {route.path}"] = await store_markup(client, workshop, kind, route)
    return found


async def test_no_page_shows_a_stored_tag(app, client, owner, stored):
    taken = {route: fields for route, fields in stored.items() if fields}
    assert len(taken) >= 80, taken
    await administration.set_administrator(owner.email, is_administrator=True)
    person = await sign_in(app, owner.id)

    pages = await read_pages(person.client, [PREFIX, "/", "/kitchen/"])

    assert not [address for address, text in pages.items() if "<b data-stored" in text]
    showing = [address for address, text in pages.items() if ESCAPED in text]
    assert len({to_kind(address) for address in showing}) >= 60
