"""A store's page: complete without scripts, small, safe, and nobody else's business."""

import gzip
import re
from html.parser import HTMLParser

import orjson
import pytest
from comanda.db import sql
from comanda.menu import public_view
from comanda_storefront.pages import shops

VOID = {"meta", "link", "img", "input", "br"}


class Outline(HTMLParser):
    """What of a page's HTML the tests ask about."""

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


async def slug_of(store):
    return await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id)


async def get(store, **headers):
    spelled = {name.replace("_", "-"): value for name, value in headers.items()}
    return await store.client.get(f"/s/{await slug_of(store)}", headers=spelled)


async def set_up(store, **settings):
    changed = await store.send("PUT", "/settings", settings)
    assert changed.status == 200, changed


async def text_of(store):
    response = await get(store)
    assert response.status_code == 200
    return (await response.get_data()).decode()


async def outline_of(store):
    return Outline(await text_of(store))


async def test_the_whole_menu_is_in_the_page_and_reads_without_scripts(store):
    group = {"name": "On top", "min": 0, "max": 3, "free_count": 1, "extras": [{"name": "Capers", "price": 1.5}]}
    await store.item("Pizza", 9.5, description="Thin and hot", extra_groups=[group], is_vegan=True, calories=800)

    text = await text_of(store)

    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", text))
    for said in (
        "Pizza",
        "Thin and hot",
        "€9.50",
        "On top (choose up to 3, 1 free): Capers +€1.50",
        "Vegan",
        "800 kcal",
    ):
        assert said in words
    assert "Ordering on this page needs JavaScript" in words


async def test_a_menu_of_200_items_is_one_small_answer(store):
    category_id = await store.category("Everything")
    for number in range(200):
        body = {
            "name": f"Dish {number}",
            "price": 5 + number / 4,
            "category_id": category_id,
            "description": f"Number {number} with {number * 7919 % 1000} grains of {number * 104729 % 9973:x}.",
            "extra_groups": [{"name": f"Sides {number}", "extras": [{"name": f"Side {number}", "price": 1}]}],
        }
        assert (await store.send("POST", "/menu/items", body)).status == 201

    response = await get(store, Accept_Encoding="gzip, br")

    sent = await response.get_data()
    assert response.headers["Content-Encoding"] == "gzip"
    assert len(sent) <= 100_000
    page = Outline(gzip.decompress(sent).decode())
    assert len([each for each in page.all("li") if "data-item" in each]) == 200


async def test_a_page_asks_nobody_else_for_anything(store):
    await store.item("Soup", image_url="https://photos.example/soup.jpg")
    await store.item("Bread", image_url="http://comanda.test/bread.jpg")

    page = await outline_of(store)

    sources = [value for _, each in page.tags for name in ("src", "href", "action") if (value := each.get(name))]
    assert [each for each in sources if "//" in each] == ["http://comanda.test/bread.jpg"]
    assert [each["data-src"] for each in page.all("img") if "data-src" in each] == ["https://photos.example/soup.jpg"]


async def test_the_policy_allows_no_inline_script_and_only_the_hosts_of_the_photos(store):
    await store.item("Soup", image_url="https://photos.example/soup.jpg")
    await store.item("Trick", image_url="https://x.example;script-src/y'unsafe-inline'.jpg")

    policy = (await get(store)).headers["Content-Security-Policy"]

    assert policy == (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; "
        "img-src 'self' data: https://photos.example; base-uri 'none'; frame-ancestors 'none'"
    )
    page = await outline_of(store)
    assert [each.get("type") for each in page.all("script")] == ["module", "application/json"]
    assert not [each for _, each in page.tags if "style" in each or any(name.startswith("on") for name in each)]


async def test_what_owners_write_stays_text(store):
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'{{ 7*7 }}"
    await store.item(evil, description=evil, extra_groups=[{"name": evil, "extras": [{"name": evil, "price": 0}]}])
    await set_up(store, title=evil, address=evil)

    page = await outline_of(store)

    assert (page.open, page.unclosed) == ([], [])
    assert len(page.all("script")) == 2
    assert page.all("img") == [each for each in page.all("img") if each.get("src") != "x"]
    assert evil in page.words
    data = orjson.loads(page.words[page.words.index(next(each for each in page.words if '"slug"' in each))])
    assert data["items"][0]["name"] == evil


async def test_headings_labels_and_pictures_are_there_for_those_who_do_not_see(store):
    await store.item("Soup", image_url="http://comanda.test/soup.jpg", is_vegan=True)

    page = await outline_of(store)

    assert page.tags[0] == ("html", {"lang": "en"})
    assert [tag for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)][:3] == ["h1", "h2", "h3"]
    assert len(page.all("main")) == 1
    labelled = {each["for"] for each in page.all("label") if "for" in each}
    assert {each["id"] for each in page.all("input", "textarea") if "id" in each} <= labelled
    assert [each["alt"] for each in page.all("img")] == ["Soup"]
    ids = [each["id"] for _, each in page.tags if "id" in each]
    assert len(ids) == len(set(ids))


async def test_a_copy_that_is_current_is_not_sent_again(store):
    await store.item("Soup")
    first = await get(store)

    again = await get(store, If_None_Match=first.headers["ETag"], Accept_Encoding="gzip")
    await store.item("Bread")
    later = await get(store, If_None_Match=first.headers["ETag"])

    assert (again.status_code, await again.get_data()) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert (later.status_code, "Bread" in (await later.get_data()).decode()) == (200, True)
    assert first.headers["Vary"] == "Accept-Encoding"


async def test_a_page_is_drawn_again_only_when_something_on_it_changed(store, monkeypatch):
    await store.item("Soup")
    drawn = []
    draw = shops._drawn
    monkeypatch.setattr(shops, "_drawn", lambda *given: drawn.append(1) or draw(*given))

    for _ in range(3):
        await text_of(store)
    await set_up(store, phone="+351 1")

    assert "+351 1" in await text_of(store)
    assert len(drawn) == 2


async def test_a_page_is_drawn_again_when_the_last_piece_is_sold_and_not_before(open_store, monkeypatch):
    shop = await open_store("pharmacy")
    plaster = await shop.item("Plaster", 3, stock=2)
    line = {"item_id": plaster["id"]}
    drawn = []
    draw = shops._drawn
    monkeypatch.setattr(shops, "_drawn", lambda *given: drawn.append(1) or draw(*given))

    for pieces, pages in ((2, 1), (1, 1), (0, 2)):
        assert ("Plaster" in await text_of(shop)) is (pieces > 0)
        assert len(drawn) == pages
        if pieces:
            await shop.order(line, type="in_store")


async def test_scripts_and_styles_are_asked_for_again(client):
    for name in ("shop.js", "track.js", "storefront.css"):
        response = await client.get(f"/storefront/static/{name}")
        again = await client.get(f"/storefront/static/{name}", headers={"If-None-Match": response.headers["ETag"]})
        assert (response.status_code, again.status_code) == (200, 304)
        assert response.headers["Cache-Control"] == "no-cache"


async def test_items_that_are_sold_out_or_hidden_are_left_out(store):
    await store.item("Soup", is_sold_out=True)
    await store.item("Ghost", is_active=False)
    await store.item("Bread")

    text = await text_of(store)

    assert "Bread" in text
    assert "Soup" not in text
    assert "Ghost" not in text
    assert (await public_view.get_public_menu(store.id)).items


async def test_a_closed_store_says_when_it_opens(store, clock):
    hours = {"monday": [{"open": "09:00", "close": "17:00"}], "exceptions": []}
    days = ("tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    await set_up(store, timezone="UTC", hours={**hours, **{day: [] for day in days}})
    clock.advance(days=(7 - clock().weekday()) % 7, hours=-clock().hour + 20)

    assert re.search(r"Closed</span> Opens Mon \d+ \w+, 09:00", await text_of(store))


@pytest.mark.parametrize("slug", ["nothing", "%00", "a" * 5000, "%ff", "%F0%9F%92%A9", "..%2f", "'"])
async def test_what_is_no_store_is_not_found(client, slug):
    response = await client.get(f"/s/{slug}")

    assert response.status_code == 404
    assert response.mimetype == "text/html"


async def test_a_store_that_is_unpublished_or_whose_owner_is_suspended_has_no_page(store):
    await set_up(store, is_published=False)
    assert (await get(store)).status_code == 404

    await set_up(store, is_published=True)
    assert (await get(store)).status_code == 200
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", store.owner.id)
    assert (await get(store)).status_code == 404


async def test_a_store_without_items_says_so(store):
    assert "There is nothing on the menu at the moment." in await text_of(store)


@pytest.mark.parametrize("store_type", ["restaurant", "pharmacy", "laundry", "hotel", "carparts"])
async def test_every_type_of_store_has_a_page_with_its_ways_to_order(open_store, store_type):
    shop = await open_store(store_type)
    await shop.item("Thing")

    page = await outline_of(shop)

    data = orjson.loads(next(each for each in page.words if '"slug"' in each))
    codes = {"restaurant": ["on-table", "takeaway"], "pharmacy": ["in_store", "pickup_slot"]}
    assert data["items"][0]["name"] == "Thing"
    assert codes.get(store_type) in (None, [mode["code"] for mode in data["modes"]])
