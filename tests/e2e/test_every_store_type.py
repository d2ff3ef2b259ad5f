"""One client program, which knows no store type, places orders in stores of all eight."""

import json
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from comanda.devkit.testing import MAX_WAIT_SECONDS, send_request

PROGRAM = Path(__file__).parents[2] / "examples" / "order_everywhere.py"
TYPES = {"restaurant", "retail", "cosmetic", "clothing", "carparts", "laundry", "pharmacy", "hotel"}

OPEN_STORES = """
import json, sys
from comanda.platform import runtime
from comanda.contracts.requests.callers import Caller
from comanda.accounts.services import create_owner, issue_owner_token
from comanda.cli.session import call
from comanda.menu.schemas import CategoryBody, ItemBody
from comanda.menu.services import create_category, create_item
from comanda.stores.services import create_store

async def work():
    owner = await create_owner("everything@example.com", "Everything")
    caller = Caller("owner", 0, owner.id, None, None, frozenset({"*"}), None)
    opened = {}
    for store_type in runtime.registry().verticals:
        store_id = await create_store(owner.id, f"Every {store_type}", store_type, timezone="Europe/Lisbon")
        opened[store_type] = store_id
        category = await create_category(caller, store_id, CategoryBody(name="All"))
        await create_item(caller, store_id, ItemBody(name="Thing", price=5, category_id=category.id, stock=20))
    token = await issue_owner_token(runtime.registry().caller_kinds["owner"], owner.id, ["*"], name="test")
    return {"token": token.secret, "hotel": opened["hotel"]}

print(json.dumps(call(work)))
"""


def check_in_guest(url, token, hotel):
    """Let somebody stay in a room, where the hotel serves."""

    def send(method, path, body):
        status, document = send_request(method, f"{url}/api/v1/restaurants/{hotel}{path}", token, body)
        assert status in {200, 201}, document
        return document["id"]

    kind = send("POST", "/room-types", {"name": "Double", "base_price": 100, "max_adults": 2})
    room = send("POST", "/rooms", {"number": "204", "room_type_id": kind})
    today = datetime.now(ZoneInfo("Europe/Lisbon")).date()
    nights = {"check_in": str(today), "check_out": str(today + timedelta(days=2))}
    stay = send("POST", "/stays", {"room_type_id": kind, "room_id": room, "guest_name": "Ana Silva", **nights})
    send("PUT", f"/stays/{stay}/status", {"status": "checked_in"})


@pytest.fixture(scope="session")
def told(installation, server):
    """Run the program against a real server; give what it tells, line by line."""
    made = json.loads(installation.run_program(OPEN_STORES))
    check_in_guest(server.url, made["token"], made["hotel"])
    command = [sys.executable, "-I", str(PROGRAM), server.url, made["token"]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=MAX_WAIT_SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_same_code_orders_in_every_store_type(told):
    taken = {(each["store_type"], each["mode"]) for each in told if each["status"] == 201}
    refused = [each for each in told if each["status"] != 201]

    assert {store_type for store_type, _ in taken} == TYPES
    assert all(each["total"] == 5 for each in told if each["status"] == 201)
    assert ("hotel", "room_service") in taken
    assert refused == []


def test_every_mode_that_is_declared_is_used_by_some_store(told, runtime):
    assert {each["mode"] for each in told} == set(runtime.registry.fulfillment_modes)
