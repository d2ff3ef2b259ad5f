"""The pages as guests see them: their text, their HTML, and an order to track."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest
from comanda.orders import queries, sections
from comanda.platform.db import sql

VOID = {"meta", "link", "img", "input", "br"}


class Outline(HTMLParser):
    """The tags, words and unclosed elements of a page."""

    def __init__(self, text):
        super().__init__()
        self.open, self.unclosed, self.tags, self.words = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID and self.open.pop() != tag:
            self.unclosed.append(tag)

    def handle_data(self, data):
        self.words.append(data)

    def all(self, *names):
        return [attributes for tag, attributes in self.tags if tag in names]


@pytest.fixture
def parse_outline():
    return Outline


@pytest.fixture
def get_slug():
    async def get_slug(store):
        return await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id)

    return get_slug


@pytest.fixture
def get_page(get_slug):
    async def get_page(store, **headers):
        spelled = {name.replace("_", "-"): value for name, value in headers.items()}
        return await store.client.get(f"/s/{await get_slug(store)}", headers=spelled)

    return get_page


@pytest.fixture
def update_settings():
    async def update_settings(store, **settings):
        changed = await store.send("PUT", "/settings", settings)
        assert changed.status == 200, changed

    return update_settings


@pytest.fixture
def get_page_text(get_page):
    async def get_page_text(store):
        response = await get_page(store)
        assert response.status_code == 200
        return (await response.get_data()).decode()

    return get_page_text


@pytest.fixture
def get_page_outline(get_page_text):
    async def get_page_outline(store):
        return Outline(await get_page_text(store))

    return get_page_outline


@pytest.fixture
def get_order_page():
    async def get_order_page(store, token, path=""):
        response = await store.client.get(f"/t/{token}{path}")
        return response, (await response.get_data()).decode()

    return get_order_page


@pytest.fixture
def set_order_status():
    async def set_order_status(store, order, status):
        reply = await store.send("PUT", f"/orders/{order['id']}/status", {"status": status})
        assert reply.status == 200, reply

    return set_order_status


@pytest.fixture
async def tracked_order(store):
    soup = await store.item("Soup <b>", 5, extra_groups=[{"name": "With", "extras": [{"name": "Bread", "price": 1}]}])
    bread = soup["extra_groups"][0]["extras"][0]["id"]
    return await store.order(
        {"item_id": soup["id"], "quantity": 2, "extras": [bread], "note": "hot"}, type="on-table", table_number="4"
    )


@pytest.fixture
def trip_sections(monkeypatch):
    """Return a function that puts a driver with a location on the way of every order."""

    def add(*, located_at, other_stops=0):
        load_page_sections = sections.load_page_sections
        get_tracking = queries.get_tracking
        driver = {"name": "Rui", "lat": 38.727, "lng": -9.1371, "location_updated_at": located_at.isoformat()}
        route = {
            "store": {"lat": 38.7139, "lng": -9.1335}, "dropoff": {"lat": 38.7101, "lng": -9.1371},
            "other_stops": other_stops,
        }  # fmt: skip

        async def load(*arguments):
            return {**await load_page_sections(*arguments), "route": route}

        async def track(token):
            order = await get_tracking(token)
            return replace(order, sections={**order.sections, "driver": driver})

        monkeypatch.setattr(sections, "load_page_sections", load)
        monkeypatch.setattr(queries, "get_tracking", track)

    return add
