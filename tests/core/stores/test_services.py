"""Creation, lookup and listing of stores."""

from datetime import datetime

import pytest
from comanda.basics.errors import Conflict, NotFound, ValidationFailed
from comanda.platform.db import sql
from comanda.stores import services


async def test_list_returns_own_stores_newest_first(store, owner, other_owner):
    await other_owner.store()
    newer = await owner.store(title="Newer")

    page = (await store.send_to("/api/v1/restaurants")).document

    assert [row["id"] for row in page["data"]] == [newer, store.id]
    assert {name: page[name] for name in ("current_page", "last_page", "per_page", "total")} == {
        "current_page": 1,
        "last_page": 1,
        "per_page": 20,
        "total": 2,
    }
    assert page["data"][0].keys() == {
        "id",
        "title",
        "slug",
        "url",
        "template",
        "created_at",
        "store_type",
        "vertical",
    }
    assert page["data"][0]["store_type"] == "restaurant"


async def test_a_store_counts_its_items_by_category(store):
    soups = await store.category("Soups", position=2)
    pasta = await store.category("Pasta", position=1)
    await store.category("Nothing yet", position=3)
    await store.item("Minestrone", category_id=soups)
    gone = await store.item("Brodo", category_id=soups)
    await store.item("Penne", category_id=pasta)
    await store.send("PATCH", f"/menu/items/{gone['id']}/sold-out")

    shown = (await store.get()).document

    assert [(row["name"], row["items_count"]) for row in shown["categories"]] == [
        ("Pasta", 1),
        ("Soups", 2),
        ("Nothing yet", 0),
    ]
    assert (shown["items_count"], shown["sold_out_count"]) == (3, 1)
    assert (shown["currency"], shown["timezone"], shown["is_open"]) == ("EUR", "UTC", True)
    assert datetime.fromisoformat(shown["created_at"]).utcoffset() is not None
    assert shown["settings_summary"]["title"] == shown["title"]


async def test_available_again_item_is_not_counted_as_sold_out(store, clock):
    soup = await store.item()
    until = clock().replace(year=clock().year + 1).isoformat()
    await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out", {"is_sold_out": True, "until": until})
    assert (await store.get())["sold_out_count"] == 1

    clock.advance(days=367)

    assert (await store.get())["sold_out_count"] == 0


async def test_unknown_type_currency_or_time_zone_is_refused(owner):
    with pytest.raises(ValidationFailed) as unknown_type:
        await services.create_store(owner.id, "Shop", "circus")
    with pytest.raises(ValidationFailed) as unknown_currency:
        await services.create_store(owner.id, "Shop", "restaurant", currency="DOG")
    with pytest.raises(ValidationFailed) as unknown_zone:
        await services.create_store(owner.id, "Shop", "restaurant", timezone="Europe/Atlantis")

    assert unknown_type.value.errors.keys() == {"store_type"}
    assert "restaurant" in unknown_type.value.errors["store_type"][0]
    assert unknown_currency.value.errors.keys() == {"currency"}
    assert unknown_zone.value.errors.keys() == {"timezone"}


async def test_two_stores_cannot_share_a_slug(owner):
    slug = f"only-one-{owner.id}"
    await services.create_store(owner.id, "First", "restaurant", slug=slug)

    with pytest.raises(ValidationFailed) as taken:
        await services.create_store(owner.id, "Second", "restaurant", slug=slug)

    assert taken.value.errors.keys() == {"slug"}


@pytest.mark.parametrize(
    ("title", "slug"),
    [("Trattoria da Zoë", "trattoria-da-zoe"), ("  A & B  ", "a-b"), ("食堂", "store"), ("x" * 300, "x" * 100)],
)
def test_a_title_becomes_a_slug(title, slug):
    assert services.slugify(title) == slug


async def test_only_an_unused_store_of_the_owner_is_deleted(store, owner, other_owner):
    unused = await owner.store()
    await store.category("Soups")

    with pytest.raises(NotFound):
        await services.delete_store(other_owner.id, unused)
    with pytest.raises(Conflict, match="The store cannot be deleted because core still refers to it"):
        await services.delete_store(owner.id, store.id)
    await services.delete_store(owner.id, unused)

    left = await sql.fetch("SELECT id FROM core_store WHERE owner_id = $1", owner.id)
    assert [row["id"] for row in left] == [store.id]
    actions = await sql.fetch("SELECT action FROM core_audit_entry WHERE owner_id = $1 ORDER BY id", owner.id)
    assert "account/store_delete" in [row["action"] for row in actions]
