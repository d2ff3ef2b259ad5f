"""The search over the reference and the guide."""

import pytest
from comanda.web.api_reference.catalog import Catalog
from comanda.web.documentation.search import MAX_RESULTS, list_entries, list_parts, search
from installed_plugins import get_registry

REGISTRY = get_registry()
CATALOG = Catalog(REGISTRY)
CHAPTERS = list(REGISTRY.docs.values())


def find(query):
    return search(query, CATALOG, CHAPTERS)


@pytest.mark.parametrize(
    ("query", "href"),
    [
        ("place an order", "/docs/orders/#place-order"),
        ("PLACE   Ordér", "/docs/orders/#place-order"),
        ("sold-out", "/docs/menu/#set-sold-out"),
        ("order.created", "/docs/events/#order-created"),
        ("/restaurants/{id}/orders", "/docs/orders/#place-order"),
        ("first steps", "/docs/guide/start"),
    ],
)
def test_names_are_found_whatever_their_case_and_accents(query, href):
    assert href in [result.entry.href for result in find(query)][:6]


def test_texts_of_chapters_are_found_with_an_excerpt():
    results = {result.entry.href: result for result in find("idempotent replayed header")}

    found = results["/docs/guide/api#repeating-a-request"]
    assert (found.entry.title, found.entry.place) == ("Repeating a request", "API")
    assert "Idempotent-Replayed" in found.excerpt


@pytest.mark.parametrize("query", ["", "  ", "zzzqqq", "place zzzqqq", "'\"<>%_\\"])
def test_nothing_is_found(query):
    assert find(query) == []


def test_results_are_limited():
    assert len(find("order")) == MAX_RESULTS


def test_every_result_is_listed_once():
    hrefs = [result.entry.href for result in find("order status")]

    assert len(hrefs) == len(set(hrefs))


def test_the_index_lists_every_operation_event_and_chapter():
    entries = list(list_entries(CATALOG, CHAPTERS))
    kinds = [entry.kind for entry in entries]

    assert kinds.count("operation") + kinds.count("event") == sum(len(section.entries) for section in CATALOG.sections)
    assert kinds.count("chapter") == len(CHAPTERS)
    assert {"/docs/guide/api#errors"} <= {entry.href for entry in entries}


def test_headings_in_code_are_none():
    text = "Before\n\n## One\ntext\n```sh\n## no heading\n```\n### `Two`\nmore\n## One\nagain"

    assert [(heading, anchor) for heading, anchor, _ in list_parts(text)] == [
        ("", ""),
        ("One", "one"),
        ("Two", "two"),
        ("One", "one-2"),
    ]
