"""What a florist's shop and a laundry do with the plugin of the example, without it, and with it again."""

import json
from datetime import UTC, datetime, timedelta
from urllib.error import HTTPError
from urllib.request import urlopen

from comanda.devkit.testing import MAX_WAIT_SECONDS, count_rows, send_request, wait_for
from comanda.devkit.testing import run_command as printed

TOMORROW = (datetime.now(UTC) + timedelta(days=1)).date()
TABLES = ("florist_shop", "florist_day", "florist_occasion")


class Shop:
    """A store in the house's database, asked over HTTP at a running server."""

    def __init__(self, token, id):
        self.token, self.id = token, id
        self.url = ""

    def send(self, method, path, body=None):
        return send_request(method, f"{self.url}/api/v1/restaurants/{self.id}{path}", self.token, body)

    def get(self, path=""):
        status, document = self.send("GET", path)
        assert status == 200, document
        return document

    def post(self, path, body):
        status, document = self.send("POST", path, body)
        assert status == 201, document
        return document

    def gift(self, item_id, **fields):
        body = {"type": "gift_delivery", "items": [{"item_id": item_id}], "address": "Rua do Carmo 2"}
        return self.send("POST", "/orders", {**body, "delivery_day": TOMORROW.isoformat(), **fields})

    def call(self, path, name, **arguments):
        """Call an MCP tool, with the owner's token where the server is the owners'."""
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        status, reply = send_request("POST", self.url + path, self.token, message)
        assert status == 200, reply
        return reply

    def page(self, path):
        try:
            with urlopen(self.url + path, timeout=MAX_WAIT_SECONDS) as response:
                return response.status, response.read().decode()
        except HTTPError as error:
            with error:
                return error.code, ""


class FloristLife:
    """The steps of ``WheelEnvironment.check_reinstallation``."""

    def __init__(self, installation, database):
        self._installation, self._database = installation, database

    def use(self, server):
        self._shop, self._laundry = furnished(self._installation)
        self._go_to(server)
        self._item, self._order = used(self._shop)
        looked_at(self._installation)
        assert count_rows(self._database, TABLES) == {"florist_shop": 1, "florist_day": 1, "florist_occasion": 1}

    def miss(self, server):
        self._go_to(server)
        missed(self._shop, self._item, self._order)
        still_works(self._laundry)
        left_behind(self._installation)

    def resume(self, server):
        self._go_to(server)
        goes_on(self._shop, self._item, self._order)

    def _go_to(self, server):
        self._shop.url = self._laundry.url = server.url


def contributed(installation):
    return {each["name"]: each["contributes"] for each in json.loads(printed(installation, "plugins", "--json"))}


def furnished(installation):
    """Open a flower shop and a laundry of one owner's with the command line."""
    printed(installation, "owner", "create", "flora@example.com")
    opened = [
        json.loads(
            printed(installation, "store", "create", "--owner", "flora@example.com", "--title", kind.title(),
                    "--type", kind, "--json")
        )["id"]
        for kind in ("florist", "laundry")
    ]  # fmt: skip
    made = printed(installation, "token", "create", "--owner", "flora@example.com", "--scope", "*", "--json")
    token = json.loads(made)["token"]
    return [Shop(token, store_id) for store_id in opened]


def used(shop):
    """Use all that the plugin brings; return the bouquet and the order."""
    vertical = shop.get()["vertical"]
    assert (vertical["label"], vertical["group"]) == ("Florist", "goods")
    assert vertical["capabilities"]["bouquet"]
    assert vertical["fulfillment_modes"] == ["at_the_stall", "gift_delivery"]

    category = shop.post("/menu/categories", {"name": "Bouquets"})
    fields = {"stem_count": 7, "care_notes": "Keep cool.", "season_months": list(range(1, 13))}
    item = shop.post("/menu/items", {"name": "Peonies", "price": 38, "category_id": category["id"], **fields})
    assert {name: item[name] for name in fields} == fields
    assert shop.send("PUT", "/florist/settings", {"remembers_gifts": True})[0] == 200

    status, refused = shop.gift(item["id"])
    assert (status, refused["errors"]) == (422, {"recipient_name": ["This field is required."]})
    status, order = shop.gift(item["id"], recipient_name="Ana Moura")
    assert (status, order["delivery_day"], order["total"]) == (201, TOMORROW.isoformat(), 38)
    [day] = shop.get(f"/florist/days?first={TOMORROW}&count=1")["days"]
    assert day["taken"] == 1

    # The event went through the outbox to its handler, which kept the gift as an occasion.
    remembered = wait_for(lambda: shop.get("/florist/occasions")["data"], "the occasion")
    assert [(each["recipient_name"], each["order_id"]) for each in remembered] == [("Ana Moura", order["id"])]

    for path in ("/mcp", "/mcp/catalog"):
        result = shop.call(path, "seasonal_flowers", restaurant_id=shop.id)["result"]["structuredContent"]
        assert [each["name"] for each in result["flowers"]] == ["Peonies"]
    status, page = shop.page("/florist/florist")
    assert status == 200
    assert "Keep cool." in page
    described(shop)
    return item, order


def described(shop):
    """Find the plugin in what the API says about itself."""
    assert "/florist/occasions" in shop.page("/api/v1")[1]
    openapi = json.loads(shop.page("/api/v1/openapi.json")[1])
    paths = [path for path in openapi["paths"] if "/florist/" in path]
    assert len(paths) == 5
    text = json.dumps(openapi)
    for name in ("recipient_name", "delivery_day", "stem_count"):
        assert f'"{name}"' in text
    status, chapter = shop.page("/docs/guide/florists")
    assert status == 200
    assert "gift_delivery" in chapter


def looked_at(installation):
    """Ask the command line what the plugin contributes, and whether all is well."""
    brought = contributed(installation)["florist"]
    assert sorted(TABLES) == brought["tables"]
    assert set(brought) == {
        "routes", "verticals", "modes", "item_capabilities", "order_participants", "events", "event_handlers",
        "mcp_tools", "tasks", "commands", "pages", "navigation_entries", "docs", "demo_data", "erasers", "reconcilers",
        "tables",
    }  # fmt: skip
    assert "!!" not in printed(installation, "doctor")
    listed = printed(installation, "florist", "occasions", "1", "--owner", "flora@example.com")
    assert "Ana Moura" in listed


def missed(shop, item, order):
    """Without the plugin its stores can do nothing, and nothing of theirs is lost."""
    store = shop.get()
    assert store["store_type"] == "florist"
    assert store["vertical"] == {"label": "florist", "group": None, "capabilities": {}, "fulfillment_modes": []}
    assert shop.get("/orders")["total"] == 1
    old = shop.get(f"/orders/{order['id']}")
    assert (old["type"], old["recipient_name"], old["total"]) == ("gift_delivery", "Ana Moura", 38)
    status, refused = shop.gift(item["id"], recipient_name="Ana Moura")
    assert (status, list(refused["errors"])) == (422, ["type"])
    assert shop.send("GET", "/florist/occasions")[0] == 404
    assert shop.page("/florist/florist")[0] == 404
    assert "florist" not in shop.page("/api/v1")[1]
    assert "error" in shop.call("/mcp", "seasonal_flowers", restaurant_id=shop.id)
    # An owner goes on to edit the menu, and what the plugin kept with an item stays with it.
    assert shop.send("PUT", f"/menu/items/{item['id']}", {"price": 40})[0] == 200


def left_behind(installation):
    """Ask the command line what the plugin left behind; a dry run deletes none of it."""
    found = installation.run("doctor")
    assert found.returncode == 1
    assert "1 store of the type florist, whose plugin florist is not enabled" in found.stdout
    assert "1 order of the mode gift_delivery, whose plugin florist is not enabled" in found.stdout
    planned = printed(installation, "plugins", "remove", "florist", "--purge", "--dry-run")
    assert [line.split()[1:] for line in planned.splitlines() if line.startswith("table")] == [
        [table, "1", "row"] for table in sorted(TABLES)
    ]
    assert "These stay: 1 store and 1 order." in planned
    assert planned.endswith("Nothing was deleted.\n")


def still_works(laundry):
    """Another store of the same owner takes orders as ever."""
    category = laundry.post("/menu/categories", {"name": "Shirts"})
    item = laundry.post("/menu/items", {"name": "Shirt", "price": 3, "category_id": category["id"]})
    order = laundry.post("/orders", {"type": "in_store", "items": [{"item_id": item["id"]}]})
    assert order["total"] == 3


def goes_on(shop, item, order):
    """Put back, the plugin finds everything where it was."""
    assert shop.get()["vertical"]["label"] == "Florist"
    peonies = shop.get(f"/menu/items/{item['id']}")
    assert (peonies["stem_count"], peonies["price"]) == (7, 40)
    assert [each["order_id"] for each in shop.get("/florist/occasions")["data"]] == [order["id"]]
    assert shop.gift(item["id"], recipient_name="Eva")[0] == 201
    [day] = shop.get(f"/florist/days?first={TOMORROW}&count=1")["days"]
    assert day["taken"] == 2
