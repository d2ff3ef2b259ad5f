"""What a store's pages say to search engines and link previews."""

import json
import re

import pytest
from comanda.basics import clock
from comanda.platform.db import sql
from comanda_storefront.pages.store.metadata import MAX_DESCRIBED_ITEMS, to_metadata
from comanda_storefront.pages.store.store_templates import INDEX, MENU, to_item_template, to_search_template

SCHEMA = "https://schema.org"
EVIL = "</script><script>alert(1)</script><!--"
WEEK = {day: [] for day in ("tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")}
HOURS = {**WEEK, "monday": [{"open": "09:00", "close": "24:00"}], "exceptions": []}


def create_objects(*items, group="food", **store):
    items = [{**create_item(number), **item} for number, item in enumerate(items, start=1)]
    facts = {
        "title": "Zé & Filhos", "url": "/s/ze", "phone": None, "address": None, "country": None, "hours": None,
        "currency": "EUR", "vertical": {"group": group}, "logo_url": None, "cover_url": None,
    }  # fmt: skip
    return {
        "store": {**facts, **store},
        "categories": [{"name": "Soups", "items": items}],
        "items_by_id": {str(item["id"]): item for item in items},
    }


def create_item(number):
    return {
        "id": number, "name": f"Soup {number}", "description": None, "image_url": None, "lowest_price": 4.5,
        "url": f"/s/ze/items/{number}", "is_popular": False,
    }  # fmt: skip


def test_a_restaurant_is_described_with_its_menu_and_prices(app):
    objects = create_objects(
        {"description": "Hot\nand  thick", "image_url": "http://comanda.test/soup.jpg"},
        address="Rua Nova 7", country="PT", phone="+351 21 555 0100",
    )  # fmt: skip

    made = to_metadata(objects, INDEX, {})

    assert (made.title, made.url, made.is_indexed) == ("Zé & Filhos", "http://comanda.test/s/ze", True)
    document = made.document
    assert document["@type"] == "Restaurant"
    assert document["address"] == {
        "@type": "PostalAddress", "streetAddress": "Rua Nova 7", "addressCountry": "PT"
    }  # fmt: skip
    assert document["telephone"] == "+351 21 555 0100"
    assert document["hasMenu"]["hasMenuSection"] == [
        {
            "@type": "MenuSection",
            "name": "Soups",
            "hasMenuItem": [
                {
                    "@type": "MenuItem",
                    "name": "Soup 1",
                    "description": "Hot and thick",
                    "image": "http://comanda.test/soup.jpg",
                    "url": "http://comanda.test/s/ze/items/1",
                    "offers": {
                        "@type": "Offer",
                        "price": 4.5,
                        "priceCurrency": "EUR",
                        "availability": f"{SCHEMA}/InStock",
                    },
                }
            ],
        }
    ]


@pytest.mark.parametrize(
    ("group", "kind", "sold"),
    [("goods", "Store", "Product"), ("services", "LocalBusiness", "Service"), ("", "LocalBusiness", "Service")],
)
def test_other_stores_are_described_with_a_catalogue(app, group, kind, sold):
    document = to_metadata(create_objects({}, group=group), INDEX, {}).document

    (section,) = document["hasOfferCatalog"]["itemListElement"]
    (offer,) = section["itemListElement"]
    assert (document["@type"], offer["@type"], offer["itemOffered"]["@type"]) == (kind, "Offer", sold)


def test_opening_hours_are_those_of_the_week_and_of_coming_dates(app):
    coming = clock.now().date().isoformat()
    dates = [{"date": "2001-01-01", "is_closed": True, "intervals": []}, {"date": coming, "intervals": []}]
    hours = to_metadata(create_objects(hours={**HOURS, "exceptions": dates}), INDEX, {}).document

    kind = {"@type": "OpeningHoursSpecification"}
    assert hours["openingHoursSpecification"] == [
        {**kind, "opens": "09:00", "closes": "23:59", "dayOfWeek": f"{SCHEMA}/Monday"},
        {**kind, "opens": "00:00", "closes": "00:00", "validFrom": coming, "validThrough": coming},
    ]


def test_a_large_menu_is_described_in_part(app):
    document = to_metadata(create_objects(*[{}] * (MAX_DESCRIBED_ITEMS + 20)), MENU, {}).document

    assert len(document["hasMenu"]["hasMenuSection"][0]["hasMenuItem"]) == MAX_DESCRIBED_ITEMS


def test_the_preview_is_a_popular_photo_of_this_host(app):
    photos = ["https://elsewhere.example/a.jpg", "http://comanda.test/b.jpg", "http://comanda.test/c.jpg"]
    objects = create_objects(*({"image_url": url, "is_popular": number == 2} for number, url in enumerate(photos)))

    assert to_metadata(objects, INDEX, {}).image.url == "http://comanda.test/c.jpg"
    first = objects["items_by_id"]["1"]
    assert to_metadata(objects, to_item_template(1), {"item": first}).image is None


def test_searches_and_missing_pages_are_not_indexed(app):
    objects = create_objects({})

    for template, found in ((to_search_template("soup"), {"search": {}}), (to_item_template(9), None)):
        made = to_metadata(objects, template, found)
        assert (made.is_indexed, made.document) == (False, None)


async def test_a_page_carries_its_metadata_and_nothing_breaks_out_of_it(store, update_settings, get_page_text):
    await store.item(EVIL, 9.5, description=EVIL)
    await update_settings(store, title=EVIL, address=EVIL)
    slug = await sql.fetch_value(
        "SELECT slug FROM core_store WHERE id = $1 AND owner_id = $2", store.id, store.owner.id
    )

    text = await get_page_text(store)

    assert "<script>alert" not in text
    document = json.loads(re.search(r'<script type="application/ld\+json">(.*?)</script>', text, re.DOTALL)[1])
    assert (document["name"], document["url"]) == (EVIL, f"http://comanda.test/s/{slug}")
    assert f'<link rel="canonical" href="http://comanda.test/s/{slug}">' in text
    assert text.count('name="description"') == 1
    assert '<meta property="og:locale:alternate" content="pt_PT">' in text
