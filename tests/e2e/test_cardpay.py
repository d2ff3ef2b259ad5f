"""A payment provider from a wheel: installed beside core, its own tests run there, and shown by the running server."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from comanda.devkit.testing import run_command as printed
from comanda.devkit.testing import send_request
from wheel_house import open_house, own_tests

ROOT = Path(__file__).parents[2]
CARDPAY = ROOT / "examples" / "cardpay"
OURS = (
    "core",
    "plugins/collection",
    "plugins/customers",
    "plugins/drivers",
    "plugins/goods",
    "plugins/notifications",
    "plugins/payments",
    "plugins/staff",
    "verticals/laundry",
)


@pytest.fixture
def house(tmp_path):
    made = open_house(tmp_path, CARDPAY, OURS)
    made.create("comanda-core[devkit]", "comanda-laundry", "comanda-cardpay")
    return made


@pytest.fixture
def installation(house, new_database):
    return house.open_installation(new_database("comanda_cardpay"))


def test_checker_has_nothing_to_say():
    command = [Path(sys.executable).parent / "comanda", "plugins", "check", CARDPAY, "--static"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.stdout == "no errors, no warnings.\n", done.stdout + done.stderr


def test_provider_from_a_wheel_collects_payments(house, installation, postgres):
    with own_tests(house, postgres):
        printed(installation, "migrate")
        printed(installation, "owner", "create", "wanda@example.com")
        create = ("store", "create", "--owner", "wanda@example.com", "--title", "Shirts", "--type", "laundry", "--json")
        store_id = json.loads(printed(installation, *create))["id"]
        make = ("token", "create", "--owner", "wanda@example.com", "--scope", "*", "--json")
        token = json.loads(printed(installation, *make))["token"]
        secrets = {"COMANDA_CARDPAY_API_KEY": "k", "COMANDA_CARDPAY_CALLBACK_SECRET": "s"}
        with installation.running("serve", **secrets) as server:
            settings = f"{server.url}/api/v1/restaurants/{store_id}/settings/cardpay"
            status, saved = send_request("PUT", settings, token, {"merchant": "00012345"})
            assert (status, saved) == (200, {"merchant": "00012345", "statement_text": ""})
            status, refused = send_request("POST", f"{server.url}/api/v1/cardpay/callbacks", token, {"page": {}})
            assert (status, refused["code"]) == (401, "unauthenticated")
