"""Services speak records and commands: free-form dictionaries stand in their signatures only for a reason."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOMAIN = ("accounts", "audit_log", "menu", "orders", "stores")
# What turns records into JSON, or JSON into commands.
EDGES = ("routes", "schemas", "tools", "pages")
FREE_FORM = ("dict[str, Any]", "dict[str, object]")
MAX_REASONS = 20

COLUMNS = "Tortoise takes the columns to write as keywords."
FIELDS = "The fields of items are declared by plugins and stored as JSON."
SECTIONS = "What sections say of an order is JSON that plugins declare."
# The functions that may have them, with the reason.
REASONS = {
    "core/src/comanda/menu/capabilities/attributes.py: parse_attributes": FIELDS,
    "core/src/comanda/menu/capabilities/attribute_values.py: parse_values": FIELDS,
    "core/src/comanda/menu/capabilities/attribute_values.py: parse_fields": FIELDS,
    "core/src/comanda/menu/capabilities/attribute_values.py: pick_values": FIELDS,
    "core/src/comanda/menu/imports/plan.py: _add_price": COLUMNS,
    "core/src/comanda/menu/imports/plan.py: _get_given_fields": FIELDS,
    "core/src/comanda/menu/imports/plan.py: _to_variant_columns": COLUMNS,
    "core/src/comanda/menu/services.py: _to_columns": COLUMNS,
    "core/src/comanda/menu/price_lists/services.py: _to_columns": COLUMNS,
    "core/src/comanda/menu/columns.py: to_columns": COLUMNS,
    "core/src/comanda/menu/columns.py: to_group_columns": COLUMNS,
    "core/src/comanda/orders/sections.py: get_defaults": SECTIONS,
    "core/src/comanda/orders/sections.py: _get_section_defaults": SECTIONS,
    "core/src/comanda/orders/sections.py: _load_sections": SECTIONS,
    "plugins/coupons/src/comanda_coupons/services/coupons.py: _get_changes": COLUMNS,
    "plugins/coupons/src/comanda_coupons/services/terms.py: to_columns": COLUMNS,
    "plugins/webhooks/src/comanda_webhooks/services/endpoints.py: _to_columns": COLUMNS,
    "verticals/restaurant/src/comanda_restaurant/services/starter_items.py: to_item_fields": FIELDS,
    "verticals/restaurant/src/comanda_restaurant/services/starter_items.py: _to_extra_group": FIELDS,
    "plugins/themes/src/comanda_themes/services/checks/section_schema.py: _to_object": "A hook of the JSON parser.",
}


def list_service_modules():
    """Yield the modules of the domain in core, and of the services of plugins, verticals and servers."""
    for room in DOMAIN:
        for path in sorted((ROOT / "core/src/comanda" / room).rglob("*.py")):
            if not set(EDGES) & {path.stem, *path.relative_to(ROOT).parts} and not path.stem.endswith(
                ("_json", "_schemas", "_format")
            ):
                yield path
    for group in ("plugins", "verticals", "mcp_servers"):
        for path in sorted(ROOT.glob(f"{group}/*/src/*/services/**/*.py")):
            if not path.stem.endswith("_json"):
                yield path
        yield from sorted(ROOT.glob(f"{group}/*/src/*/services.py"))


def list_hints(function):
    arguments = function.args
    hints = [argument.annotation for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return [ast.unparse(hint) for hint in (*hints, function.returns) if hint]


def list_free_form(tree):
    """Return the names of functions with a dictionary in their signature, also under another name."""
    aliases = [
        node.targets[0].id
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.value) in FREE_FORM
    ]
    forms = re.compile("|".join([*map(re.escape, FREE_FORM), *(rf"\b{alias}\b" for alias in aliases)]))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return [function.name for function in functions if any(map(forms.search, list_hints(function)))]


def test_services_take_and_return_records():
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in list_service_modules()
        # What is written nowhere in a module stands in no signature of it.
        if any(form in (text := path.read_text()) for form in FREE_FORM)
        for name in list_free_form(ast.parse(text))
    }

    assert found == set(REASONS), "Return a frozen record, and take a command; or name the reason here."
    assert len(REASONS) <= MAX_REASONS


def test_a_dictionary_in_a_signature_is_found():
    tree = ast.parse(
        "Record = dict[str, Any]\n"
        "def f(a: int) -> list[dict[str, Any]]: ...\n"
        "async def g(b: dict[str, Any]): ...\n"
        "def h() -> Record | None: ...\n"
        "def i(a: int) -> Recorder: ...\n"
    )

    assert list_free_form(tree) == ["f", "g", "h"]
