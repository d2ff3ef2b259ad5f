"""Whole menus: checked as a whole, told before they are applied, applied once, and the same when they come again."""

import asyncio

import pytest
from comanda.db import sql
from comanda.devkit.testing.stores import Reply

MENU = [
    {
        "name": "Pizza",
        "items": [
            {
                "name": "Margherita", "price": 9.5, "description": "Basil", "tax_rate": 7, "is_vegan": True,
                "gallery": [{"url": "https://a.example/m.jpg", "alt": "Whole"}],
                "variations": [{"name": "Large", "price": "12.50", "sku": "M-L"}, {"name": "Small", "price": 7}],
                "extra_groups": [
                    {"name": "On top", "max": 3, "extras": [
                        {"name": "Ham", "price": 2}, {"name": "Olives", "price": 1}]}
                ],
            },
            {"name": "Marinara", "price": 8},
        ],
    },
    {"name": "Drinks", "is_active": False, "items": [{"name": "Water", "price": "2.00", "is_popular": True}]},
]  # fmt: skip
CSV = """category,name,variant,price,sku,stock,description,is_vegan,calories
Pizza,Margherita,,9.50,,,Basil,yes,820
Pizza,Margherita,Large,12.50,M-L,,,,
Pizza,Margherita,Small,7,,,,,
Drinks,Water,,2.00,,,,,
"""


@pytest.fixture
def send_csv(client, owner):
    async def send(store, text, query=""):
        path = f"/api/v1/restaurants/{store.id}/menu/import{query}"
        raw = text if isinstance(text, bytes) else text.encode()
        response = await client.post(path, headers={**owner.auth, "Content-Type": "text/csv"}, data=raw)
        return Reply(response.status_code, await response.get_json(), dict(response.headers))

    return send


async def send(store, menu=MENU, **options):
    return await store.send("POST", "/menu/import", {"menu": menu, **options})


def counted(reply, entity="items"):
    assert reply.status == 200, reply
    return tuple(reply[entity][name] for name in ("created", "updated", "unchanged", "removed"))


async def version(store):
    return await sql.fetch_value("SELECT menu_version FROM core_store WHERE id = $1", store.id)


async def rows(store):
    """Everything of the menu, ids included."""
    return (await store.get("/menu")).document


async def test_a_menu_is_created_whole(store, published):
    before = await version(store)

    done = await send(store)

    assert (counted(done), counted(done, "categories")) == ((3, 0, 0, 0), (2, 0, 0, 0))
    pizza, drinks = await rows(store)
    assert [item["name"] for item in pizza["items"]] == ["Margherita", "Marinara"]
    margherita = pizza["items"][0]
    assert (margherita["price"], margherita["tax_rate"], margherita["is_vegan"]) == (9.5, 7, True)
    assert margherita["gallery"] == [{"url": "https://a.example/m.jpg", "alt": "Whole"}]
    assert [(each["name"], each["price"]) for each in margherita["variations"]] == [("Large", 12.5), ("Small", 7)]
    assert [extra["name"] for extra in margherita["extra_groups"][0]["extras"]] == ["Ham", "Olives"]
    assert (drinks["is_active"], drinks["items"][0]["is_popular"]) == (False, True)
    told = [(data["entity"], data["change"], data["id"]) for _, data in await published()]
    assert len(told) == len(set(told)) == 5
    assert await version(store) == before + 1
    assert {change["id"] for change in done["changes"]} == {entity_id for _, _, entity_id in told}


async def test_the_same_menu_again_changes_and_announces_nothing(store, published):
    await send(store)
    before, told, number = await rows(store), await published(), await version(store)

    again = await send(store)

    assert (counted(again), counted(again, "categories"), again["changes"]) == ((0, 0, 3, 0), (0, 0, 2, 0), [])
    assert (await rows(store), await published(), await version(store)) == (before, told, number)


async def test_a_dry_run_tells_what_the_import_does_and_does_nothing(store, published):
    await send(store)
    menu = [{"name": "Pizza", "items": [{"name": "Margherita", "price": 10}, {"name": "Regina", "price": 11}]}]
    before, told = await rows(store), await published()

    dry = await send(store, menu, dry_run=True, remove_missing=True)

    assert (await rows(store), await published()) == (before, told)
    real = await send(store, menu, remove_missing=True)
    assert counted(dry) == counted(real) == (1, 1, 0, 2)
    assert (dry["dry_run"], real["dry_run"]) == (True, False)
    stripped = [[{**change, "id": None} for change in reply["changes"]] for reply in (dry, real)]
    assert stripped[0] == stripped[1]
    assert dry["changes"][0]["fields"] == ["price"]


async def test_what_a_menu_does_not_say_stays(store):
    await send(store)
    before = await rows(store)

    done = await send(store, [{"name": "PIZZA", "items": [{"name": "marinara", "price": 8.5}]}])

    assert counted(done) == (0, 1, 0, 0)
    after = await rows(store)
    assert after[1] == before[1]
    assert after[0]["items"][0] == before[0]["items"][0]
    assert after[0]["items"][1] == {**before[0]["items"][1], "name": "marinara", "price": 8.5}


async def test_a_sku_finds_an_item_whatever_it_is_called_and_wherever_it_stands(store):
    await send(store)
    before = (await rows(store))[0]["items"][0]
    renamed = {"name": "Queen", "variations": [{"name": "Big", "price": 13, "sku": "M-L"}]}

    done = await send(store, [{"name": "Specials", "items": [renamed]}])

    assert counted(done) == (0, 1, 0, 0)
    assert done["changes"][1]["fields"] == ["category_id", "name", "variations"]
    pizza, _, specials = sorted(await rows(store), key=lambda category: category["id"])
    (item,) = specials["items"]
    assert (item["id"], item["name"], item["price"]) == (before["id"], "Queen", 9.5)
    assert [(each["id"], each["name"], each["price"]) for each in item["variations"]] == [
        (before["variations"][0]["id"], "Big", 13), (before["variations"][1]["id"], "Small", 7),
    ]  # fmt: skip
    assert [each["name"] for each in pizza["items"]] == ["Marinara"]


async def test_two_variants_exchange_their_skus(store):
    def menu(first, second):
        variants = [{"name": "A", "price": 1, "sku": first}, {"name": "B", "price": 2, "sku": second}]
        return [{"name": "Goods", "items": [{"name": "Lamp", "price": 3, "variations": variants}]}]

    await send(store, menu("X", "Y"))

    done = await send(store, menu("Y", "X"))

    # By their SKUs they are the same variants under each other's names and prices.
    assert counted(done) == (0, 1, 0, 0)
    names = [(each["name"], each["price"]) for each in (await rows(store))[0]["items"][0]["variations"]]
    assert names == [("B", 2), ("A", 1)]


async def test_only_what_is_asked_for_is_removed(store):
    await send(store)
    menu = [
        {
            "name": "Pizza",
            "items": [
                {
                    "name": "Margherita", "variations": [{"name": "Small", "price": 7}],
                    "extra_groups": [{"name": "On top", "max": 3, "extras": [{"name": "Ham", "price": 2}]}],
                }
            ],
        }
    ]  # fmt: skip

    kept = await send(store, menu)
    removed = await send(store, menu, remove_missing=True)

    assert (counted(kept), counted(kept, "categories")) == ((0, 0, 1, 0), (0, 0, 1, 0))
    assert (counted(removed), counted(removed, "categories")) == ((0, 1, 0, 2), (0, 0, 1, 1))
    (pizza,) = await rows(store)
    (item,) = pizza["items"]
    assert [each["name"] for each in item["variations"]] == ["Small"]
    assert [extra["name"] for extra in item["extra_groups"][0]["extras"]] == ["Ham"]


WRONG = [
    ([{"name": "A", "items": [{"name": "B", "price": -1}]}], "menu.0.items.0.price"),
    ([{"name": "A", "items": [{"name": "B", "price": 1.234}]}], "menu.0.items.0.price"),
    ([{"name": "A", "items": [{"name": "B", "price": "9,50"}]}], "menu.0.items.0.price"),
    ([{"name": "A", "items": [{"name": "B", "price": True}]}], "menu.0.items.0.price"),
    ([{"name": "A", "items": [{"name": "B"}]}], "menu.0.items.0.price"),
    ([{"name": "A", "items": [{"name": " ", "price": 1}]}], "menu.0.items.0.name"),
    ([{"name": "A", "items": [{"name": "B", "price": 1}, {"name": "b", "price": 1}]}], "menu.0.items.1.name"),
    ([{"name": "A", "items": []}, {"name": "a", "items": []}], "menu.1.name"),
    ([{"name": "A", "items": [{"name": "B", "price": 1, "calories": "many"}]}], "menu.0.items.0.calories"),
    ([{"name": "A", "items": [{"name": "B", "price": 1, "variations": [
        {"name": "X", "price": 1, "sku": "S"}, {"name": "Y", "price": 1, "sku": "S"}]}]}],
        "menu.0.items.0.variations.1.sku"),
    ([{"name": "A", "items": [{"name": "B", "price": 1, "variations": [
        {"name": "X", "price": 1}, {"name": "x", "price": 1}]}]}], "menu.0.items.0.variations.1.name"),
    ([{"name": "A", "items": [{"name": "B", "price": 1, "extra_groups": [
        {"name": "G", "min": 2, "max": 1}]}]}], "menu.0.items.0.extra_groups.0.max"),
    ([{"name": "A", "items": [{"name": "B", "price": 1, "gallery": [
        {"url": f"http://comanda.test/photos/1/{'a' * 64}-320.webp"}]}]}], "menu.0.items.0.gallery.0.url"),
    ([{"name": "A", "items": [{"name": f"B{n}", "price": 1} for n in range(2001)]}], "menu.0.items"),
    ("x", "menu"),
]  # fmt: skip


@pytest.mark.parametrize(("menu", "field"), WRONG)
@pytest.mark.parametrize("dry_run", [True, False])
async def test_one_wrong_field_stops_the_whole_menu(store, published, menu, field, dry_run):
    right = [{"name": "First", "items": [{"name": "Right", "price": 1}]}]
    whole = menu if menu == "x" or len(menu) != 1 else [*menu, *right]

    refused = await send(store, whole, dry_run=dry_run)

    assert list(refused.errors) == [field]
    assert (await rows(store), await published()) == ([], [])


async def test_a_sku_of_another_item_is_named(store):
    await send(store)
    variants = [{"name": "X", "price": 1, "sku": "M-L"}, {"name": "Y", "price": 1, "sku": "N"}]
    await send(store, [{"name": "A", "items": [{"name": "B", "price": 1, "variations": variants[1:]}]}])

    refused = await send(store, [{"name": "A", "items": [{"name": "B", "variations": variants}]}])

    assert refused.errors == {"menu.0.items.0.variations.1.sku": ["The SKU N belongs to B."]}


async def test_json_that_is_none_is_told_with_its_line(store):
    path = f"/api/v1/restaurants/{store.id}/menu/import"
    headers = {**store.owner.auth, "Content-Type": "application/json"}
    for raw, sentence in (
        (b'{"menu": [\n  {"name": }\n]}', "Line 2, column 12"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"menu": [{"name": "\xff"}]}', "Line 1: this file is not UTF-8"),
        (b"", "Line 1, column 1"),
    ):
        response = await store.client.post(path, headers=headers, data=raw)
        assert response.status_code == 400, raw[:20]
        assert sentence in (await response.get_json())["message"]


async def test_prices_never_pass_through_a_float(store):
    raw = b'{"menu": [{"name": "A", "items": [{"name": "B", "price": 123456789.0100000000000000001}]}]}'
    path = f"/api/v1/restaurants/{store.id}/menu/import"
    response = await store.client.post(path, headers={**store.owner.auth, "Content-Type": "application/json"}, data=raw)

    # As a float this would be 123456789.01.
    assert response.status_code == 422


async def test_two_imports_at_once_make_one_menu(store):
    done = await asyncio.gather(*(send(store) for _ in range(4)))

    assert sorted(counted(reply) for reply in done) == [(0, 0, 3, 0)] * 3 + [(3, 0, 0, 0)]
    assert [len(category["items"]) for category in await rows(store)] == [2, 1]


async def test_imports_and_orders_at_once_end_without_a_deadlock(bazaar):
    names = [f"Lamp {number}" for number in range(6)]

    def menu(price):
        items = [{"name": name, "price": price, "stock": 1000} for name in names]
        return [{"name": "Lamps", "items": items}]

    await send(bazaar, menu(1))
    items = (await rows(bazaar))[0]["items"]
    lines = [{"item_id": item["id"], "quantity": 1} for item in items]

    replies = await asyncio.gather(
        *(send(bazaar, menu(2 + turn)) for turn in range(6)), *(bazaar.place(*lines[::-1]) for _ in range(12))
    )

    assert {reply.status for reply in replies} <= {200, 201, 422}, [reply for reply in replies if reply.status > 422]


async def test_csv_makes_the_same_menu(store, send_csv):
    done = await send_csv(store, CSV)

    assert (counted(done), counted(done, "categories")) == ((2, 0, 0, 0), (2, 0, 0, 0))
    pizza, drinks = await rows(store)
    (item,) = pizza["items"]
    assert (item["price"], item["description"], item["is_vegan"], item["calories"]) == (9.5, "Basil", True, 820)
    assert [(each["name"], each["price"]) for each in item["variations"]] == [("Large", 12.5), ("Small", 7)]
    assert drinks["items"][0]["price"] == 2
    assert counted(await send_csv(store, CSV)) == (0, 0, 2, 0)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffCategory;Name;Price\r\nA;B;9,50\r\n",
        "category\tname\tprice\nA\tB\t9,50\n",
        "price,NAME,category,\n\n9.50,B,A,\n,,,\n",
        'category,name,price\n"A","B","9.50"',
    ],
)
async def test_files_as_spreadsheets_write_them_are_read(store, send_csv, text):
    assert counted(await send_csv(store, text)) == (1, 0, 0, 0)
    assert [(c["name"], c["items"][0]["name"], c["items"][0]["price"]) for c in await rows(store)] == [("A", "B", 9.5)]


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("category,name,price\nA,B,1\nA,C,x\n,D,2\nE,F,\n",
            {"line.3.price": "Must be a number such as 9.50, with at most 2 decimals.",
             "line.4.category": "This field is required.", "line.5.price": "This field is required."}),
        ("category,name,price\nA,B,9.999\nA,C,-1\nA,D,1.000\n",
            dict.fromkeys(("line.2.price", "line.3.price", "line.4.price"),
                "Must be a number such as 9.50, with at most 2 decimals.")),
        ('category,name,price\nA,B,"9,50"\n',
            {"line.2.price": "Must be a number such as 9.50, with at most 2 decimals."}),
        ("category,name,price,calories\nA,B,1,many\n", {"line.2.calories": "Must be a whole number."}),
        ("category,name,price,is_active\nA,B,1,perhaps\n", {"line.2.is_active": "Must be true or false."}),
        ('category,name,price,description\nA,"two\nlines",1,x\nA,C,1,"y\nz"\nA,D,bad,x\n',
            {"line.6.price": "Must be a number such as 9.50, with at most 2 decimals."}),
        ("category,name,price,sku\nA,B,1,S\n",
            {"line.2.sku": "This field belongs to a variant. Name the variant in the column variant."}),
        ("category,name,price\nA,B,1\nA,b,2\n", {"line.3.name": "b is already on line 2.",
            "line.3.price": "Line 2 has another value for b."}),
        ("category,name,price,variant,description\nA,B,1,S,x\nA,B,2,L,y\n",
            {"line.3.description": "Line 2 has another value for B."}),
        ("category,name,price,variant\nA,B,1,S\nA,B,2,s\n", {"line.3.variant": "s is already in this list."}),
        ("category,name,price\nA,B,1,2,3\n", {"line.2": "This row has 5 cells, but the header has 3."}),
        ('category,name,price\nA,"B"x,1\n', {"line.2": "This row cannot be read: ',' expected after '\"'."}),
        ("category,name\nA,B\n", {"line.1.price": "This column is missing."}),
        ("category,category,name,price\nA,A,B,1\n", {"line.1.category": "This column occurs twice."}),
        ("", {"line.1": "The first row must name the columns: category, name, price and more."}),
    ],
)  # fmt: skip
async def test_what_is_wrong_in_csv_is_told_by_line_and_column(store, send_csv, text, errors):
    refused = await send_csv(store, text)

    assert refused.errors == {key: [sentence] for key, sentence in errors.items()}
    assert await rows(store) == []


async def test_a_misspelt_column_is_told_with_the_nearest_name(store, send_csv):
    refused = await send_csv(store, "category,name,pric\nA,B,1\n")

    assert refused.errors["line.1.pric"][0].startswith("Unknown column pric. Did you mean price? Known columns: categ")


async def test_csv_that_is_not_utf_8_is_told_with_its_line(store, send_csv):
    refused = await send_csv(store, "category,name,price\nA,Käse,1\n".encode("cp1252"))

    assert (refused.status, refused["message"]) == (
        400, "Line 2: this file is not UTF-8. Save it as CSV UTF-8 and try again.",
    )  # fmt: skip


async def test_csv_dry_runs_and_removes_by_its_query(store, send_csv):
    await send(store)

    dry = await send_csv(store, CSV, "?dry_run=true&remove_missing=true")
    real = await send_csv(store, CSV, "?remove_missing=1")

    assert counted(dry) == counted(real) == (0, 1, 1, 1)
    assert [item["name"] for category in await rows(store) for item in category["items"]] == ["Margherita", "Water"]


@pytest.mark.parametrize("form", ["json", "csv"])
async def test_what_is_exported_is_imported_without_a_change_and_anew_elsewhere(
    client, store, send_csv, open_store, form
):
    await send(store, [*MENU, {"name": "=1+1", "items": [{"name": "@SUM", "price": 1, "description": "-2"}]}])
    other = await open_store("restaurant")

    async def bring(to):
        path = f"/api/v1/restaurants/{store.id}/menu/export?format={form}"
        response = await client.get(path, headers=store.owner.auth)
        raw = await response.get_data()
        assert (response.status_code, response.content_type.partition(";")[0]) == (
            200, "text/csv" if form == "csv" else "application/json",
        )  # fmt: skip
        if form == "csv":
            assert b"\n'=1+1,'@SUM,,1.00" in raw.replace(b"\r", b"")
            return await send_csv(to, raw)
        headers = {**store.owner.auth, "Content-Type": "application/json"}
        answer = await client.post(f"/api/v1/restaurants/{to.id}/menu/import", headers=headers, data=raw)
        return Reply(answer.status_code, await answer.get_json(), {})

    again, anew = await bring(store), await bring(other)

    assert (counted(again), counted(anew)) == ((0, 0, 4, 0), (4, 0, 0, 0))
    left_out = {"json": {"id", "category_id"}, "csv": {"id", "category_id", "gallery", "extra_groups"}}[form]

    def bare(value):
        if isinstance(value, dict):
            return {name: bare(part) for name, part in value.items() if name not in left_out | {"id"}}
        return [bare(part) for part in value] if isinstance(value, list) else value

    mine, theirs = bare(await rows(store)), bare(await rows(other))
    if form == "csv":
        for category in (*mine, *theirs):
            category.pop("position"), category.pop("is_active")
    assert mine == theirs


async def test_goods_carry_brand_stock_and_skus_through_csv(bazaar, send_csv):
    columns = "category,name,variant,price,compare_at_price,sku,barcode,stock,brand"
    text = f"{columns}\nLamps,Moon,,20,,,,3,Acme\nLamps,Moon,Blue,21,25,M-B,123,5,\n"

    assert counted(await send_csv(bazaar, text)) == (1, 0, 0, 0)

    (lamp,) = (await rows(bazaar))[0]["items"]
    assert (lamp["stock"], lamp["brand"], lamp["variants_count"]) == (3, "Acme", 1)
    (variant,) = (await bazaar.get(f"/menu/items/{lamp['id']}/variants"))["data"]
    assert {name: variant[name] for name in ("name", "price", "compare_at_price", "sku", "barcode", "stock")} == {
        "name": "Blue", "price": 21, "compare_at_price": 25, "sku": "M-B", "barcode": "123", "stock": 5,
    }  # fmt: skip
    assert counted(await send_csv(bazaar, text)) == (0, 0, 1, 0)


async def test_currencies_without_decimals_take_none(open_store, send_csv):
    store = await open_store("restaurant", currency="JPY")

    refused = await send_csv(store, "category,name,price\nA,B,900.5\n")
    done = await send_csv(store, "category,name,price\nA,B,900\n")

    assert refused.errors == {"line.2.price": ["Must be a number such as 950 without decimals."]}
    assert counted(done) == (1, 0, 0, 0)


async def test_a_large_menu_is_imported_within_seconds(store, published):
    menu = [
        {"name": f"C{c}", "items": [
            {"name": f"I{c}-{i}", "price": 1, "variations": [{"name": "L", "price": 2, "sku": f"S{c}-{i}"}]}
            for i in range(50)]}
        for c in range(10)
    ]  # fmt: skip

    done = await send(store, menu)

    assert counted(done) == (500, 0, 0, 0)
    assert len(await published()) == 510
    assert counted(await send(store, menu)) == (0, 0, 500, 0)
