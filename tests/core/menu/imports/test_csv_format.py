"""Menus as CSV."""

import time

import pytest
from menus import import_menu, read_menu, to_counts


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffCategory;Name;Price\r\nA;B;9,50\r\n",
        "category\tname\tprice\nA\tB\t9,50\n",
        "price,NAME,category,\n\n9.50,B,A,\n,,,\n",
        'category,name,price\n"A","B","9.50"',
        "sep=;\r\ncategory;name;price\r\nA;B;9,50\r\n",
        "category|name|price\rA|B|9,50\r",
        "Menu of 2026,,\ncategory,name,price\nA,B,9.50\n",
        "category\tname\tprice\r\nA\tB\t9,50\r\n".encode("utf-16"),
    ],
)
async def test_files_as_spreadsheets_write_them_are_read(store, send_csv, text):
    assert to_counts(await send_csv(store, text)) == (1, 0, 0, 0)
    assert [(c["name"], c["items"][0]["name"], c["items"][0]["price"]) for c in await read_menu(store)] == [
        ("A", "B", 9.5)
    ]


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("category,name,price\nA,B,1\nA,C,x\n,D,2\nE,F,\n",
            {"line.3.price": "Must be a number such as 9.50, with at most 2 decimals.",
             "line.4.category": "This field is required.", "line.5.price": "This field is required."}),
        ("category,name,price\nA,B,9.999\nA,C,-1\nA,D,1.000\n",
            dict.fromkeys(("line.2.price", "line.3.price", "line.4.price"),
                "Must be a number such as 9.50, with at most 2 decimals.")),
        ('category,name,price\nA,B,"9,500"\n',
            {"line.2.price": "Must be a number such as 9.50, with at most 2 decimals."}),
        ("category,name,price\nA,B,$9.50\nA,C,9.50 SEK\nA,D,9.50 each\nA,E,9% \n",
            {"line.2.price": "This amount is in $; the store's are in EUR.",
             "line.3.price": "This amount is in SEK; the store's are in EUR.",
             **dict.fromkeys(("line.4.price", "line.5.price"),
                 "Must be a number such as 9.50, with at most 2 decimals.")}),
        ("category;name;price\nA;B;1.23.456\nA;C;1.234.567\nA;D;1,234.5\nA;E;€ -1\n",
            dict.fromkeys(("line.2.price", "line.3.price", "line.5.price"),
                "Must be a number such as 9.50, with at most 2 decimals.")),
        ("category,name,price,calories\nA,B,1,many\n", {"line.2.calories": "Must be a whole number."}),
        ("category,name,price,is_active\nA,B,1,perhaps\n", {"line.2.is_active": "Must be true or false."}),
        ('category,name,price,description\nA,"two\nlines",1,x\nA,C,1,"y\nz"\nA,D,bad,x\n',
            {"line.6.price": "Must be a number such as 9.50, with at most 2 decimals."}),
        ("category,name,price,sku\nA,B,1,S\n",
            {"line.2.sku": "This field belongs to a variant. Name the variant in the column variant."}),
        ("category,name,price\nA,B,1\nA,b,2\n", {"line.3.name": "b is already on line 2."}),
        ("category,name,price,is_active\nA,B,x,perhaps\nA,C,1,maybe\n",
            {"line.2.price": "Must be a number such as 9.50, with at most 2 decimals.",
             "line.2.is_active": "Must be true or false.", "line.3.is_active": "Must be true or false."}),
        ("category,name,price,category_is_active\nA,B,1,false\nA,C,1,true\n",
            {"line.3.category_is_active": "Line 2 has another value for A."}),
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
async def test_csv_errors_name_line_and_column(store, send_csv, text, errors):
    refused = await send_csv(store, text)

    assert refused.errors == {key: [sentence] for key, sentence in errors.items()}
    assert await read_menu(store) == []


async def test_unknown_column_suggests_the_nearest_name(store, send_csv):
    refused = await send_csv(store, "category,name,pric\nA,B,1\n")

    assert refused.errors["line.1.pric"][0].startswith("Unknown column pric. Did you mean price? Known columns: categ")


async def test_known_columns_are_listed_once(store, send_csv):
    refused = await send_csv(store, "category,name,price,shelf,colour\nA,B,1,2,3\n")

    sentences = [sentence for found in refused.errors.values() for sentence in found]
    assert [sentence.count("Known columns") for sentence in sentences] == [1, 0]


async def test_words_in_two_normal_forms_are_one_word(store, send_csv):
    text = "category,name,price\nCafe\u0301,Cre\u0300me,4.20\nCaf\u00e9,Cr\u00e8me\u200b 2,4.20\u200b\n"

    assert to_counts(await send_csv(store, text)) == (2, 0, 0, 0)

    (category,) = await read_menu(store)
    assert [category["name"], *(item["name"] for item in category["items"])] == ["Café", "Crème", "Crème 2"]


@pytest.mark.parametrize(
    ("currency", "cell", "price"),
    [
        ("EUR", "€ 8,50", 8.5),
        ("EUR", "8.50€", 8.5),
        ("EUR", "EUR 8", 8),
        ("EUR", "1.234,50 €", 1234.5),
        ("EUR", "1\u202f234,50\xa0€", 1234.5),
        ("CHF", "CHF 1'234.50", 1234.5),
        ("USD", "$12", 12),
        ("USD", "$1,234.50", 1234.5),
        ("USD", "US$ 12.00", 12),
        ("SEK", "12 kr", 12),
        ("DKK", "12,50 kr.", 12.5),
        ("PLN", "12,50 zł", 12.5),
        ("GBP", "£3.20", 3.2),
        ("JPY", "¥950", 950),
    ],
)
async def test_amounts_may_have_the_sign_of_the_stores_currency(open_store, send_csv, currency, cell, price):
    store = await open_store("restaurant", currency=currency)

    assert to_counts(await send_csv(store, f'category,name,price\nA,B,"{cell}"\n')) == (1, 0, 0, 0)

    [category] = await read_menu(store)
    assert category["items"][0]["price"] == price


async def test_tax_rates_may_have_a_percent_sign(store, send_csv):
    text = "category,name,price,tax_rate\nA,B,1,8.875%\nA,C,1,19 %\n"

    assert to_counts(await send_csv(store, text)) == (2, 0, 0, 0)

    [category] = await read_menu(store)
    assert [item["tax_rate"] for item in category["items"]] == [8.875, 19]


async def test_items_without_a_fixed_price_are_hidden_until_they_have_one(store, send_csv):
    text = "category,name,variant,price\nA,Voucher,,variable\nA,Fish,Whole,Market\nA,Tea,Small,1\nA,Tea,Pot,open\n"

    done = await send_csv(store, text)

    assert [(each["line"], each["message"].partition(" has")[0]) for each in done["warnings"]] == [
        (2, "Voucher"), (3, "Fish"), (3, "Fish, Whole"), (5, "Tea, Pot"),
    ]  # fmt: skip
    [category] = await read_menu(store)
    found = {item["name"]: (item["is_active"], item["price"]) for item in category["items"]}
    assert found == {"Voucher": (False, 0), "Fish": (False, 0), "Tea": (True, 1)}

    await import_menu(store, [{"name": "A", "items": [{"name": "Voucher", "price": 25, "is_active": True}]}])
    again = await send_csv(store, text)

    assert (to_counts(again), again["warnings"]) == ((0, 0, 3, 0), [])


async def test_texts_in_html_become_plain(store, send_csv):
    html = "<p>Big <b>cup</b></p><ul><li>hot<li>1 &lt; 2</ul><script>alert(1)</script>"

    done = await send_csv(store, f"category,name,price,description\nFish &amp; chips,A < B & C,1,{html}\n")

    assert to_counts(done) == (1, 0, 0, 0)
    [category] = await read_menu(store)
    assert (category["name"], category["items"][0]["name"]) == ("Fish & chips", "A < B & C")
    assert category["items"][0]["description"] == "Big cup\nhot\n1 < 2"


async def test_what_other_systems_archived_is_not_active(store, send_csv):
    assert to_counts(await send_csv(store, "category,name,price,Archived\nA,B,1,Y\nA,C,1,N\n")) == (2, 0, 0, 0)

    [category] = await read_menu(store)
    assert [item["is_active"] for item in category["items"]] == [False, True]


async def test_text_of_windows_is_read_without_a_charset(store, send_csv):
    assert to_counts(await send_csv(store, "category,name,price\nSüß,Käse “1”,1\n".encode("cp1252"))) == (1, 0, 0, 0)
    [category] = await read_menu(store)
    assert (category["name"], category["items"][0]["name"]) == ("Süß", "Käse “1”")


async def test_damaged_utf8_is_not_taken_for_text_of_windows(store, send_csv):
    refused = await send_csv(store, "category,name,price\nSüß,B,1\nA,Käse".encode()[:-3] + b"\xff,1\n")

    assert refused.status == 400
    assert "Line 3: this file is not UTF-8" in refused["message"]


@pytest.mark.parametrize("charset", ["windows-1252", "ISO-8859-1", '"Windows-1252"'])
async def test_the_charset_that_the_sender_names_is_read(client, store, owner, charset):
    path = f"/api/v1/restaurants/{store.id}/menu/import"
    headers = {**owner.auth, "Content-Type": f"text/csv; charset={charset}"}

    done = await client.post(path, headers=headers, data="category,name,price\nSüß,Käse,1\n".encode("cp1252"))

    assert done.status_code == 200
    assert [each["name"] for each in await read_menu(store)] == ["Süß"]


@pytest.mark.parametrize("charset", ["idna", "unicode_escape", "zlib", "no-such", "x" * 5000])
async def test_other_charsets_are_refused(client, store, owner, charset):
    path = f"/api/v1/restaurants/{store.id}/menu/import"
    headers = {**owner.auth, "Content-Type": f"text/csv; charset={charset}"}

    refused = await client.post(path, headers=headers, data=b"category,name,price\nA,B,1\n")

    assert refused.status_code == 400
    assert "is not supported" in (await refused.get_json())["message"]


async def test_columns_can_be_named_by_the_sender(store, send_csv):
    text = "Section,Dish,Note,Amount\nA,B,x,9.50\n"

    done = await send_csv(store, text, "?columns=category,name,,price")
    refused = await send_csv(store, text, "?columns=category,name,colour,price")

    assert to_counts(done) == (1, 0, 0, 0)
    assert list(refused.errors) == ["line.1.colour"]


async def test_hidden_categories_and_inactive_variants_stay_hidden(store, open_store, client, send_csv):
    variants = [{"name": "Small", "price": 1}, {"name": "Large", "price": 2, "is_active": False}]
    await import_menu(
        store, [{"name": "Staff", "is_active": False, "items": [{"name": "Soup", "price": 1, "variations": variants}]}]
    )
    path = f"/api/v1/restaurants/{store.id}/menu/export?format=csv"
    raw = await (await client.get(path, headers=store.owner.auth)).get_data()
    other = await open_store("restaurant")

    assert to_counts(await send_csv(other, raw)) == (1, 0, 0, 0)

    (category,) = await read_menu(other)
    found = (await other.get(f"/menu/items/{category['items'][0]['id']}/variants"))["data"]
    assert category["is_active"] is False
    assert [(each["name"], each["is_active"]) for each in found] == [("Small", True), ("Large", False)]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (",".join(f"c{number}" for number in range(100_000)), "line.1"),
        ("category,name,price\n" + "x\n" * 140_000, "line.2.name"),
        ("category,name,price\n" + "".join(f"A,{number},1\n" for number in range(40_000)), "menu"),
        ("category,name,price,variant\n" + "".join(f"A,B,1,{n}\n" for n in range(37_000)), "line.2.variations"),
    ],
    ids=["columns", "short rows", "items", "variants"],
)
async def test_bounds_hold_before_work_begins(store, send_csv, text, key):
    begun = time.process_time()

    refused = await send_csv(store, text)

    assert time.process_time() - begun < 3
    assert refused.status == 422
    assert len(refused.errors) <= 200
    assert key in refused.errors


async def test_too_many_cells_are_refused(store, send_csv):
    refused = await send_csv(store, "category,name,price\n" + ",,\n" * 400_000)

    assert (refused.status, refused["message"]) == (400, "A table may have at most 1,000,000 cells.")


async def test_csv_in_other_encoding_is_refused_with_line(store, send_csv):
    refused = await send_csv(store, b"category,name,price\nA,K\x81se,1\n")

    assert (refused.status, refused["message"]) == (
        400, "Line 2: this file is not UTF-8. Save it as CSV UTF-8 and try again.",
    )  # fmt: skip


async def test_goods_carry_brand_stock_and_skus_through_csv(bazaar, send_csv):
    columns = "category,name,variant,price,compare_at_price,sku,barcode,stock,brand"
    text = f"{columns}\nLamps,Moon,,20,,,,3,Acme\nLamps,Moon,Blue,21,25,M-B,123,5,\n"

    assert to_counts(await send_csv(bazaar, text)) == (1, 0, 0, 0)

    (lamp,) = (await read_menu(bazaar))[0]["items"]
    assert (lamp["stock"], lamp["brand"], lamp["variants_count"]) == (3, "Acme", 1)
    (variant,) = (await bazaar.get(f"/menu/items/{lamp['id']}/variants"))["data"]
    assert {name: variant[name] for name in ("name", "price", "compare_at_price", "sku", "barcode", "stock")} == {
        "name": "Blue", "price": 21, "compare_at_price": 25, "sku": "M-B", "barcode": "123", "stock": 5,
    }  # fmt: skip
    assert to_counts(await send_csv(bazaar, text)) == (0, 0, 1, 0)


async def test_currencies_without_decimals_take_none(open_store, send_csv):
    store = await open_store("restaurant", currency="JPY")

    refused = await send_csv(store, "category,name,price\nA,B,900.5\n")
    done = await send_csv(store, "category,name,price\nA,B,900\n")

    assert refused.errors == {"line.2.price": ["Must be a number such as 950 without decimals."]}
    assert to_counts(done) == (1, 0, 0, 0)


async def test_an_item_without_variants_has_a_price_to_compare_with(store, send_csv):
    reply = await send_csv(store, "category,name,price,compare_at_price\nMain,Lamp,8,11\nMain,Torch,5,\n")
    (category,) = (await store.get("/menu")).document
    again = await send_csv(store, "category,name,price,compare_at_price\nMain,Lamp,8,12\nMain,Torch,5,\n")

    assert (reply.status, [item["compare_at_price"] for item in category["items"]]) == (200, [11, None])
    assert [change["fields"] for change in again["changes"]] == [["compare_at_price"]]
