"""Plugins of strangers: built, installed beside core in an empty environment, used, removed, and put back.

Nothing of this repository but wheels comes into that environment, and everything else from the package registry.
"""

import json
from pathlib import Path

import pytest
from comanda.devkit.authoring.checker import check_plugin
from comanda.devkit.testing import run_command, send_request
from florist_shop import FloristLife
from rental_shop import RentalLife
from wheel_house import open_house, own_tests

EXAMPLES = Path(__file__).parents[2] / "examples"
FLORIST, RENTAL, CARDPAY = (EXAMPLES / name for name in ("florist", "rental", "cardpay"))
# What is installed besides is only what one of them names.
INSTALLED = ("comanda-core[devkit]", "comanda-laundry", "comanda-mcp-admin", "comanda-mcp-catalog")
SECRETS = {"COMANDA_CARDPAY_API_KEY": "k", "COMANDA_CARDPAY_CALLBACK_SECRET": "s"}


@pytest.mark.parametrize("example", [RENTAL, CARDPAY], ids=["rental", "cardpay"])
def test_checker_has_nothing_to_say(example):
    assert check_plugin(example, is_static=True) == []


@pytest.fixture
def house(tmp_path, wheels):
    made = open_house(tmp_path, wheels, FLORIST, RENTAL, CARDPAY)
    made.create(*INSTALLED)
    return made


def test_strangers_wheels_are_installed_used_removed_and_put_back(house, new_database, postgres):
    database = new_database("comanda_examples")
    installation = house.open_installation(database, **SECRETS)
    lives = [life(installation, database) for life in (FloristLife, RentalLife)]

    def use(server):
        with own_tests(house, postgres):
            for life in lives:
                life.use(server)
            collect_by_card(installation, server)

    def miss(server):
        for life in lives:
            life.miss(server)

    def resume(server):
        for life in lives:
            life.resume(server)

    house.check_reinstallation(database, use=use, miss=miss, resume=resume, **SECRETS)


def collect_by_card(installation, server):
    """Connect an account at the payment provider, and be refused a callback without its signature."""
    run_command(installation, "owner", "create", "wanda@example.com")
    create = ("store", "create", "--owner", "wanda@example.com", "--title", "Shirts", "--type", "laundry", "--json")
    store_id = json.loads(run_command(installation, *create))["id"]
    make = ("token", "create", "--owner", "wanda@example.com", "--scope", "*", "--json")
    token = json.loads(run_command(installation, *make))["token"]
    account = {"provider": "cardpay", "restaurant_id": store_id, "credentials": {"merchant": "00012345"}}
    status, connected = send_request("POST", f"{server.url}/api/v1/payment-accounts", token, account)
    # Nobody answers at the address of a provider that does not exist.
    assert (status, connected["state"]) == (201, "pending")
    status, refused = send_request("POST", f"{server.url}/api/v1/payments/webhooks/cardpay", token, {"page": {}})
    assert (status, refused["code"]) == (401, "unauthenticated")
