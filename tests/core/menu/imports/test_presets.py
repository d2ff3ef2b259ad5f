"""Tables of other systems, recognized by their headings."""

import pytest
from comanda.basics.errors import ValidationFailed
from comanda.menu.imports.csv_format import parse_csv
from comanda.menu.imports.presets import NAME_ONLY, PRESETS

SQUARE = """Reference Handle,Token,Item Name,Variation Name,SKU,Description,Categories,GTIN,Price,Archived,Sellable,\
Option Name 1,Option Value 1,Current Quantity Quay,Current Quantity Hill,Modifier Set - Oils,Tax - VAT (10%)
#dal,T1,Lentil Dal,Bowl,DAL-B,"Slow, red lentils",Stews (7QX2KD),,7.50,N,Y,Portion,Bowl,,,Y,Y
#dal,T2,Lentil Dal,Pot,DAL-P,,Stews (7QX2KD),,21.00,N,N,Portion,Pot,4,9,Y,Y
#ayran,T3,Ayran,Regular,,,"Drinks, Cold",,variable,N,Y,,,,,N,
#halva,T4,Halva,Regular,HLV,,Sweets (2026),4006381333931,3.20,Y,Y,,,,,N,
"""
SHOPIFY = """Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,\
Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,Variant Price,Variant Compare At Price,Image Src,\
Image Alt Text,Gift Card,Status
oolong,Oolong,<p>Half <b>oxidized</b></p>,Hill Farm,Tea,green,TRUE,Weight,100 g,Grind,Leaf,OOL-1,shopify,12,9.00,10.50,\
https://img.example/a.jpg,Leaves,FALSE,active
oolong,,,,,,,,250 g,,Leaf,OOL-2,,7,19.00,,https://img.example/b.jpg,,,
oolong,,,,,,,,,,,,,,,,https://img.example/c.jpg,,,
voucher,Voucher,,,,,TRUE,Title,Default Title,,,,,,25.00,,,,TRUE,active
cup,Cup,,,Ware,,TRUE,Title,Default Title,,,,,,6.00,,file.png,,FALSE,draft
"""
WOO = """ID,Type,SKU,Name,Published,Is featured?,Visibility in catalog,Short description,Description,\
Date sale price ends,Tax class,Stock,Backorders allowed?,Sale price,Regular price,Categories,Images,Parent,\
Attribute 1 name,Attribute 1 value(s)
5,variable,JAM,Jam,1,1,visible,Fruit &amp; sugar,Long,,,,0,,,"Pantry > Sweet, New",\
"https://img.example/1.jpg, https://img.example/2.jpg",,Jar,"Small, Large"
6,variation,JAM-S,Jam - Small,1,0,visible,,,,reduced,8,0,3.20,4.00,,,JAM,Jar,Small
7,variation,JAM-L,Jam - Large,-1,0,visible,,,2026-12-01,,,notify,6.00,7.00,,,id:5,Jar,Large
8,simple,,Bread,0,0,visible,,,,,,0,,3.10,Bakery > Sweet,,,Flour,Rye
9,grouped,,Basket,1,0,visible,,,,,,0,,,,,,,
10,variation,X,Lost,1,0,visible,,,,,,0,,1.00,,,id:99,,
"""
TOAST = """Menu,Menu Group,Menu Item,GUID,Price,Description,SKU,Visibility,Modifier Groups,Tax Rate,Archived
Evening,Mains,Pumpkin Ravioli,a1,$16.00,Sage butter,,POS,Cheese,8.875%,No
Noon,Mains,Pumpkin Ravioli,a2,$12.00,,,,,,No
Noon,Soups,Leek Soup,a3,Market,,,,,,Yes
"""
LOYVERSE = """Handle,SKU,Name,Category,Description,Sold by weight,Option 1 name,Option 1 value,Cost,Barcode,\
SKU of included item,Track stock,Available for sale [Pier],Price [Pier],In stock [Pier],Price [Dock],Modifier - Syrups,\
"Tax - ""VAT"" (5%)"
chai,10,Chai,Hot,Spiced,N,Size,Small,0.40,,,Y,Y,3.00,14.000,3.10,Y,Y
chai,11,,,,N,,Large,0.60,,,N,N,4.00,7.000,4.20,Y,Y
ginger-bun,12,Ginger Bun,,,N,,,0.30,2000000000015,,N,Y,variable,,,N,N
"""
ODOO = """External ID,Name,Internal Reference,Sales Price,Product Category,Point of Sale Category,Sales Description,\
Active,Quantity On Hand,Product Attributes / Attribute
p1,Olive Tapenade,TAP,5.40,All / Saleable / Deli,,Green olives,TRUE,0,Size
,,,,,,,,,Colour
p2,Fig Mustard,,4.10,All / Saleable / Deli,Counter / Sauces,,FALSE,3,
"""
LIGHTSPEED = """id,handle,sku,name,description,product_category,variant_option_one_name,variant_option_one_value,\
supply_price,retail_price,brand_name,active,track_inventory,inventory_Main
1,scarf,SC-R,Wool Scarf,Warm,Wear / Winter,Colour,Red,8,24.00,Loom,1,1,3
2,scarf,SC-B,Wool Scarf,Warm,Wear / Winter,Colour,Blue,8,26.00,Loom,1,0,5
3,pin,PIN,Pin,,Wear / Small,,,1,2.50,,0,1,-2
"""
PRESTASHOP = """Product ID;Active (0/1);Name *;Categories (x,y,z...);Price tax excluded;Tax rules ID;Reference #;EAN13;\
Quantity;Short description;Image URLs (x,y,z...)
1;1;Beeswax Candle;Home,Light;8,50;1;CAN;4006381333931;12;<p>Burns long</p>;https://img.example/c.jpg,/local.jpg
2;0;Matches;3,4;1,20;1;;;0;;
"""
CLOVER = """Clover ID,Name,Price,Price Type,Price Unit,Tax Rates,Cost,Product Code,SKU,Modifier Groups,Hidden,Categories
C1,Corn Bread,4.50,Fixed,,Sales Tax,1.00,,CB,Spreads,No,"Bakery, Sides"
C2,Fish of the Day,0.00,Variable,,Sales Tax,,,,,No,Mains
C3,Staff Meal,2.00,Fixed,,,,,,,Yes,
"""
FILES = {
    "Square": SQUARE, "Shopify": SHOPIFY, "WooCommerce": WOO, "Toast": TOAST, "Loyverse": LOYVERSE, "Odoo": ODOO,
    "Lightspeed": LIGHTSPEED, "PrestaShop": PRESTASHOP, "Clover": CLOVER,
}  # fmt: skip


def read(text, currency="EUR"):
    return parse_csv(text.encode(), ["brand"], currency, 20_000)


def outline(document):
    """Return each item as its category, name, price and variants, with a mark for what is hidden."""
    found = []
    for category in document.categories:
        for item in category.items:
            variants = [
                (each.name, str(each.price), each.sku, each.stock, "hidden" if each.is_active is False else "")
                for each in item.variations or []
            ]
            price = None if item.price is None else str(item.price)
            found.append((category.name, item.name, price, variants, "hidden" if item.is_active is False else ""))
    return found


def messages(document):
    return [f"{note.line}: {note.message}" for note in document.notes]


@pytest.mark.parametrize("system", FILES)
def test_each_system_is_recognized_by_its_headings(system):
    assert read(FILES[system], "USD").source == system


def test_own_headings_are_of_no_other_system():
    assert read("category,name,price,variant,sku\nSoups,Leek Soup,4.00,,\n").source is None


def test_square_variations_codes_and_taxes():
    document = read(SQUARE)

    assert outline(document) == [
        (
            "Stews",
            "Lentil Dal",
            None,
            [("Bowl", "7.50", "DAL-B", None, ""), ("Pot", "21.00", "DAL-P", 4, "hidden")],
            "",
        ),
        ("Drinks", "Ayran", "0", [], ""),
        ("Sweets (2026)", "Halva", None, [("Regular", "3.20", "HLV", None, "")], "hidden"),
    ]
    dal = document.categories[0].items[0]
    assert (dal.description, str(dal.tax_rate)) == ("Slow, red lentils", "10")
    assert [each.options for each in dal.variations] == [{"Portion": "Bowl"}, {"Portion": "Pot"}]
    assert document.categories[2].items[0].variations[0].barcode == "4006381333931"
    assert document.open_prices == {"menu.1.items.0"}
    assert messages(document) == [
        "1: These columns are not taken: Token, Current Quantity Hill.",
        f"2: Modifier Set - Oils is not taken (2 rows). {NAME_ONLY}",
        "4: Only the first one of several categories is taken.",
        "3: Lentil Dal, Pot is hidden: Sellable is N.",
        "5: Halva is hidden: Archived is Y.",
    ]


def test_shopify_variants_pictures_and_drafts():
    document = read(SHOPIFY)

    assert outline(document) == [
        ("Tea", "Oolong", None,
            [("100 g / Leaf", "9.00", "OOL-1", 12, ""), ("250 g / Leaf", "19.00", "OOL-2", None, "")], ""),
        ("Ware", "Cup", "6.00", [], "hidden"),
    ]  # fmt: skip
    oolong = document.categories[0].items[0]
    assert (oolong.description, oolong.brand) == ("Half oxidized", "Hill Farm")
    assert [(each.url[-5:], each.alt) for each in oolong.gallery] == [
        ("a.jpg", "Leaves"), ("b.jpg", None), ("c.jpg", None),
    ]  # fmt: skip
    assert str(oolong.variations[0].compare_at_price) == "10.50"
    assert oolong.variations[1].options == {"Weight": "250 g", "Grind": "Leaf"}
    assert messages(document) == [
        "1: These columns are not taken: Tags.",
        "6: A picture that is not given by its address is not taken.",
        "5: Voucher is left out: Gift Card is TRUE.",
        "6: Cup is hidden: Status is draft.",
    ]


def test_woocommerce_variations_and_paths():
    document = read(WOO)

    assert outline(document) == [
        (
            "Pantry: Sweet",
            "Jam",
            None,
            [("Small", "3.20", "JAM-S", 8, ""), ("Large", "7.00", "JAM-L", None, "hidden")],
            "",
        ),
        ("Bakery: Sweet", "Bread", "3.10", [], "hidden"),
    ]
    jam = document.categories[0].items[0]
    assert (jam.description, jam.is_popular, len(jam.gallery)) == ("Fruit & sugar", True, 2)
    assert [str(each.compare_at_price) for each in jam.variations] == ["4.00", "None"]
    assert messages(document) == [
        "2: Only the first one of several categories is taken.",
        "3: Tax class is not taken (1 row). Set the rate of the tax for these items.",
        "4: Only the regular price is taken of what is reduced for a time.",
        "4: Jam, Large is hidden: Published is -1.",
        "5: Bread is hidden: Published is 0.",
        "6: Basket is left out: Type is grouped.",
        "7: This row is left out: what it belongs to is not in the file.",
    ]


def test_toast_menus_with_groups_of_the_same_name():
    document = read(TOAST, "USD")

    assert outline(document) == [
        ("Evening: Mains", "Pumpkin Ravioli", "16.00", [], ""),
        ("Noon: Mains", "Pumpkin Ravioli", "12.00", [], ""),
        ("Soups", "Leek Soup", "0", [], "hidden"),
    ]
    assert str(document.categories[0].items[0].tax_rate) == "8.875"
    assert "4: Leek Soup is hidden: Archived is Yes." in messages(document)


def test_loyverse_first_shop_and_counted_stock():
    document = read(LOYVERSE)

    assert outline(document) == [
        ("Hot", "Chai", None, [("Small", "3.00", "10", 14, ""), ("Large", "4.00", "11", None, "hidden")], ""),
        ("Menu", "Ginger Bun", None, [("Standard", "0", "12", None, "")], ""),
    ]
    assert str(document.categories[0].items[0].tax_rate) == "5"
    assert messages(document) == [
        "1: These columns are not taken: Cost, Price [Dock].",
        f"2: Modifier - Syrups is not taken (2 rows). {NAME_ONLY}",
        "4: The category is Menu, because the file has none.",
        "3: Chai, Large is hidden: Available for sale [Pier] is N.",
    ]


def test_odoo_paths_and_rows_that_continue():
    document = read(ODOO)

    assert outline(document) == [
        ("Deli", "Olive Tapenade", None, [("Standard", "5.40", "TAP", None, "")], ""),
        ("Sauces", "Fig Mustard", "4.10", [], "hidden"),
    ]
    expected = f"2: Product Attributes / Attribute is not taken (2 rows). {PRESETS[5].reasons['product attributes*']}"
    assert expected in messages(document)


def test_lightspeed_options_and_negative_stock():
    document = read(LIGHTSPEED)

    assert outline(document) == [
        ("Winter", "Wool Scarf", None, [("Red", "24.00", "SC-R", 3, ""), ("Blue", "26.00", "SC-B", None, "")], ""),
        ("Small", "Pin", None, [("Standard", "2.50", "PIN", 0, "")], "hidden"),
    ]
    assert document.categories[0].items[0].brand == "Loom"


def test_prestashop_net_prices_and_numbered_categories():
    document = read(PRESTASHOP)

    assert outline(document) == [
        ("Light", "Beeswax Candle", None, [("Standard", "8.50", "CAN", 12, "")], ""),
        ("Menu", "Matches", "1.20", [], "hidden"),
    ]
    assert [each.url for each in document.categories[0].items[0].gallery] == ["https://img.example/c.jpg"]
    assert {
        "2: The prices of this file are without tax. Check them. (2 rows)",
        "2: A picture that is not given by its address is not taken.",
        "3: The category is Menu, because the file has only its number there.",
    } <= set(messages(document))


def test_clover_open_prices():
    document = read(CLOVER, "USD")

    assert outline(document) == [
        ("Bakery", "Corn Bread", None, [("Standard", "4.50", "CB", None, "")], ""),
        ("Mains", "Fish of the Day", "0", [], ""),
        ("Menu", "Staff Meal", "2.00", [], "hidden"),
    ]
    assert document.open_prices == {"menu.1.items.0"}


def test_mistakes_of_another_systems_file_have_its_lines():
    with pytest.raises(ValidationFailed) as caught:
        read(TOAST.replace("$16.00", "16.00 pounds"), "USD")

    assert list(caught.value.errors) == ["line.2.price"]


def test_notes_are_bounded():
    rows = "".join(f"Evening,Mains,Dish {number},{number},1.00,,,,,,Yes\n" for number in range(700))
    document = read(TOAST.partition("\n")[0] + "\n" + rows, "USD")

    assert len(document.notes) == 502
    assert document.notes[-1].message == "200 more lines have such notes."
