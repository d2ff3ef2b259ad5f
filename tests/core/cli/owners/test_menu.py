"""`comanda menu`: what a person imports from a file, and what they read when it is wrong."""

import json

import pytest


def ok(finished):
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


@pytest.fixture(scope="module")
def store(installation):
    ok(installation.run("owner", "create", "ana@example.com"))
    made = ok(installation.run("store", "create", "--owner", "ana@example.com", "--title", "Chez Ana", "--json"))
    return json.loads(made)["slug"]


def test_a_file_is_tried_imported_and_found_unchanged_in_its_export(installation, store, tmp_path):
    file, exported = tmp_path / "menu.csv", tmp_path / "menu.json"
    file.write_text("category,name,price,calories\nSoups,Minestrone,7.50,320\nSoups,Gazpacho,6,\n", encoding="utf-8")

    dry = ok(installation.run("menu", "import", str(file), "--store", store, "--dry-run"))
    real = ok(installation.run("menu", "import", str(file), "--store", store))
    ok(installation.run("menu", "export", str(exported), "--store", store))
    again = json.loads(ok(installation.run("menu", "import", str(exported), "--store", store, "--json")))

    told = "Items: 2 created, 0 updated, 0 unchanged, 0 removed"
    assert told in dry
    assert "Nothing was changed" in dry
    assert told in real
    assert "created  item      Gazpacho" in real
    (category,) = json.loads(exported.read_text())["menu"]
    assert [(item["name"], item["price"], item["calories"]) for item in category["items"]] == [
        ("Minestrone", "7.50", 320), ("Gazpacho", "6.00", None),
    ]  # fmt: skip
    assert (again["items"]["unchanged"], again["changes"]) == (2, [])


def test_errors_in_file_are_listed_by_line(installation, store, tmp_path):
    table, tree, none = tmp_path / "menu.csv", tmp_path / "menu.json", tmp_path / "none.json"
    table.write_text("category,name,price\nA,B,1\nA,C,free\n,D,1\n", encoding="utf-8")
    tree.write_text('[\n {"name": "A", "items": [\n  {"name": "B", "price": 1},\n  {"name": "C", "price": -1}]}]\n')
    none.write_text('[\n {"name": }]')

    wrong_table = installation.run("menu", "import", str(table), "--store", store)
    wrong_tree = installation.run("menu", "import", str(tree), "--store", store)
    wrong_json = installation.run("menu", "import", str(none), "--store", store)

    assert wrong_table.returncode == wrong_tree.returncode == wrong_json.returncode == 1
    assert wrong_table.stderr.splitlines() == [
        "Error: Nothing was imported.",
        f"{table}: line 3, price: Must be a number such as 9.50, with at most 2 decimals.",
        f"{table}: line 4, category: This field is required.",
    ]
    assert f"{tree}: line 4, menu.0.items.1.price: Must be 0 or more." in wrong_tree.stderr
    assert f"{none}: Line 2, column 11: this is not valid JSON" in wrong_json.stderr


def test_unknown_store_or_format_is_reported(installation, store, tmp_path):
    file, sheet = tmp_path / "menu.csv", tmp_path / "menu.ods"
    file.write_text("category,name,price\nA,B,1\n", encoding="utf-8")
    sheet.write_bytes(b"PK")

    nowhere = installation.run("menu", "import", str(file), "--store", "nowhere")
    unknown = installation.run("menu", "import", str(sheet), "--store", store)

    assert nowhere.stderr == "Error: There is no store nowhere.\n"
    assert unknown.stderr == f"Error: {sheet} must end in .csv, .xlsx or .json.\n"
