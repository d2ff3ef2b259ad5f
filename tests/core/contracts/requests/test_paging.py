"""Pages of lists."""

import pytest
from comanda.contracts.requests.paging import PageRequest


@pytest.mark.parametrize(
    ("query", "page", "per_page", "rows"),
    [
        ("", 1, 20, 3),
        ("?page=1", 1, 20, 3),
        ("?page=0", 1, 20, 3),
        ("?page=-3", 1, 20, 3),
        ("?page=abc", 1, 20, 3),
        ("?page=", 1, 20, 3),
        ("?page=1.5", 1, 20, 3),
        ("?page=%D9%A1", 1, 20, 3),
        ("?page=2", 2, 20, 0),
        ("?page=0002&per_page=2", 2, 2, 1),
        ("?page=1&page=2&per_page=1", 2, 1, 1),
        ("?per_page=0", 1, 20, 3),
        ("?per_page=-1", 1, 20, 3),
        ("?per_page=x", 1, 20, 3),
        ("?per_page=1", 1, 1, 1),
        ("?per_page=101", 1, 100, 3),
        ("?per_page=" + "9" * 30, 1, 100, 3),
    ],
)
async def test_pages(client, owner, query, page, per_page, rows):
    for _ in range(3):
        await owner.store()

    body = await (await client.get(f"/api/v1/restaurants{query}", headers=owner.auth)).get_json()

    assert (body["current_page"], body["per_page"], len(body["data"]), body["total"]) == (page, per_page, rows, 3)
    assert body["last_page"] == -(-3 // per_page)


@pytest.mark.parametrize("page", ["1" + "0" * 30, "9" * 4000, str(2**63)])
async def test_a_page_far_past_the_end_is_empty(client, owner, store_id, page):
    for path in ("/restaurants", f"/restaurants/{store_id}/orders"):
        body = await (await client.get(f"/api/v1{path}?page={page}&per_page=100", headers=owner.auth)).get_json()

        assert (body["data"], body["last_page"]) == ([], 1)
        assert body["current_page"] > 1


async def test_an_empty_list_has_one_page(client, owner, store_id):
    body = await (await client.get(f"/api/v1/restaurants/{store_id}/orders", headers=owner.auth)).get_json()

    assert body == {"data": [], "current_page": 1, "last_page": 1, "per_page": 30, "total": 0}


def test_page_request_computes_offset():
    page = PageRequest.read({"page": "3", "per_page": "7"})

    assert (page.offset(), page.size()) == (14, 7)
    assert page.envelope(["x"], 15) == {
        "data": ["x"],
        "current_page": 3,
        "last_page": 3,
        "per_page": 7,
        "total": 15,
    }


@pytest.mark.parametrize(
    ("query", "rows", "total"),
    [({}, 3, 3), ({}, 0, 0), ({"page": "2"}, 3, 23), ({"page": "2"}, 0, "counted"), ({"per_page": "3"}, 3, "counted")],
)
async def test_rows_are_counted_only_if_the_page_does_not_show_how_many(query, rows, total):
    async def count():
        return "counted"

    assert await PageRequest.read(query).get_total([None] * rows, count) == total
