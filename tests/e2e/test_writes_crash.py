"""kill -9 of a server while drivers' earnings are adjusted, menus imported and apps allowed: each happens once or not.

``COMANDA_CRASH_WRITES=200`` is how many of each.
"""

import asyncio
import json
import logging
import os
import random
import re
import shutil
import signal
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from urllib.parse import parse_qs, urlencode, urlsplit

import asyncpg
import pytest
import requests
from comanda.devkit.testing import Installation, LiveStore, create_migrated_data_folder, send_request, wait_for
from comanda.operations.embedded.server import EmbeddedPostgres

log = logging.getLogger(__name__)
WRITES = int(os.environ.get("COMANDA_CRASH_WRITES", "0"))
KILLS = max(2, WRITES // 20)
ITEMS = 40
PASSWORD = "correct horse battery staple"
REDIRECT = "https://app.example.com/callback"
VARIABLES = {"COMANDA_REQUESTS_PER_MINUTE": "1000000", "COMANDA_LOG_LEVEL": "critical"}
SET_UP = """
import json, sys
from comanda.accounts.owner_login import set_owner_password
from comanda.accounts.services import create_owner, issue_owner_token
from comanda.cli.session import call
from comanda.platform import runtime
from comanda.stores.services import create_store
from comanda_oauth import api

async def work():
    owner = await create_owner("live@example.com", "Live")
    await set_owner_password(owner.id, sys.argv[1])
    store_id = await create_store(owner.id, "Live", "restaurant")
    token = await issue_owner_token(runtime.registry().caller_kinds["owner"], owner.id, ["*"], name="test")
    issued = await api.create_client(owner.id, api.NewClient("Loyalty", (sys.argv[2],), ("menu:read",)))
    return {"id": store_id, "token": token.secret, "client_id": issued.client.client_id, "secret": issued.secret}

print(json.dumps(call(work)))
"""
FOUND = {
    "adjustments": "SELECT reason, adjustment_minor FROM drivers_earning",
    "installations": "SELECT id FROM oauth_installation",
    "installed": "SELECT id FROM core_outbox WHERE name = 'app.installed'",
    "items": "SELECT name, price_minor FROM core_menu_item",
}


class World:
    """A database and a server on one port, which is started again after each death."""

    def __init__(self, stack):
        data = create_migrated_data_folder()
        stack.callback(shutil.rmtree, data, ignore_errors=True)
        # This process uses the database too, so that it outlives the servers.
        self.postgres = stack.enter_context(EmbeddedPostgres(data))
        self.installation = Installation(data, VARIABLES)
        self._stack = stack
        self.start()
        self.made = json.loads(self.installation.run_program(SET_UP, PASSWORD, REDIRECT))
        self.store = LiveStore(self.made["id"], self.made["token"], lambda: self.server.url)
        self.statuses, self.gave_up, self.done = Counter(), threading.Event(), Counter()

    def start(self):
        self.server = self._stack.enter_context(self.installation.running("serve"))

    def kill(self):
        self.server.stop(signal.SIGKILL)
        self.start()

    def until_known(self, what, ask):
        """Ask again until there is an answer that is not one to come back later."""

        def attempt():
            assert not self.gave_up.is_set(), "another client failed"
            try:
                status, answer = ask()
            except requests.ConnectionError:
                status, answer = 0, None
            self.statuses[status] += 1
            return None if status in (0, 429, 503) else (status, answer)

        return wait_for(attempt, f"an answer to {what}", show=lambda: self.statuses)

    def read(self):
        async def work():
            connection = await asyncpg.connect(self.postgres.url)
            found = {name: await connection.fetch(statement) for name, statement in FOUND.items()}
            await connection.close()
            return found

        return asyncio.run(work())


def adjust_earnings(world, driver_id):
    for number in range(WRITES):
        body, key = {"amount": number + 1, "reason": f"Bonus {number}"}, f"bonus-{number}"
        status, made = world.until_known(
            "an adjustment",
            lambda body=body, key=key: send_request(
                "POST", f"{world.server.url}/api/v1/drivers/{driver_id}/adjustments", world.store.token, body,
                Idempotency_Key=key,
            ),
        )  # fmt: skip
        assert status == 201, made
        world.done["adjustments"] += 1


def import_menus(world):
    for number in range(WRITES):
        items = [{"name": f"Dish {each}", "price": number + 1} for each in range(ITEMS)]
        body = {"menu": [{"name": "Dishes", "items": items}], "remove_missing": True}
        status, made = world.until_known("an import", lambda body=body: world.store.send("POST", "/menu/import", body))
        assert status == 200, made
        _, menu = world.until_known("the menu", lambda: world.store.send("GET", "/menu"))
        assert {item["price"] for category in menu for item in category["items"]} == {number + 1}
        world.done["imports"] += 1


def allow_app(world):
    """Sign in, allow the app, and exchange the code, again and again; return the tokens that were acknowledged."""
    tokens, session = [], requests.Session()
    while len(tokens) < WRITES:
        query = {"client_id": world.made["client_id"], "redirect_uri": REDIRECT, "scope": "menu:read",
                 "response_type": "code", "state": f"s{len(tokens)}"}  # fmt: skip
        form = {"client_id": world.made["client_id"], "client_secret": world.made["secret"],
                "grant_type": "authorization_code", "redirect_uri": REDIRECT}  # fmt: skip

        def consent(query=query):
            page = session.get(f"{world.server.url}/oauth/authorize?{urlencode(query)}")
            if urlsplit(page.url).path == "/sign-in":
                fields = {**read_fields(page.text, "/sign-in"), "email": "live@example.com", "password": PASSWORD}
                page = session.post(f"{world.server.url}/sign-in", data=fields)
            if page.status_code != 200:
                return page.status_code, page.text
            action = re.search(r'action="(/oauth/authorize[^"]*)"', page.text)[1].replace("&amp;", "&")
            fields = {**read_fields(page.text, "/oauth/authorize"), "store": "all", "decision": "allow"}
            answer = session.post(f"{world.server.url}{action}", data=fields, allow_redirects=False)
            return answer.status_code, answer.headers.get("Location") or answer.text

        status, location = world.until_known("a consent", consent)
        assert status == 303, location
        form["code"] = parse_qs(urlsplit(location).query)["code"][0]

        def exchange(form=form):
            answer = requests.post(f"{world.server.url}/oauth/token", data=form)
            return answer.status_code, answer.json()

        status, answer = world.until_known("a token", exchange)
        # The code was used before the answer was lost: the app asks the owner again.
        if status == 400 and answer["error"] == "invalid_grant":
            world.statuses["used code"] += 1
            continue
        assert status == 200, answer
        tokens.append(answer["access_token"])
        world.done["consents"] += 1
    return tokens


def read_fields(text, action):
    form = re.search(rf'<form[^>]*action="{action}["?].*?</form>', text, re.DOTALL)[0]
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)
    return {name: value.replace("&amp;", "&") for name, value in found}


@pytest.mark.skipif(not WRITES, reason="takes minutes; set COMANDA_CRASH_WRITES to the number of writes")
def test_adjustments_imports_and_consents_survive_kill_9():
    with ExitStack() as stack:
        world = World(stack)
        status, driver = send_request(
            "POST", f"{world.server.url}/api/v1/drivers", world.store.token,
            {"name": "Rui", "phone": "+351961234567", "restaurant_id": world.store.id},
        )  # fmt: skip
        assert status == 201, driver
        with ThreadPoolExecutor(3) as pool:
            stack.callback(world.gave_up.set)
            work = [
                pool.submit(adjust_earnings, world, driver["id"]),
                pool.submit(import_menus, world),
                pool.submit(allow_app, world),
            ]
            try:
                for share in range(KILLS):
                    wanted = random.uniform(share, share + 1) * 3 * WRITES / (KILLS + 1)
                    wait_for(
                        lambda wanted=wanted: world.done.total() >= wanted or any(each.done() for each in work),
                        "writes before a kill",
                        show=lambda: (world.done, world.statuses),
                    )
                    world.kill()
                for each in work:
                    each.result()
            except BaseException:
                world.gave_up.set()
                raise
        found = world.read()
        log.info("%s kills, %s, answers %s", KILLS, dict(world.done), dict(world.statuses))

        assert world.statuses[0] + world.statuses[503] > 0, "no client noticed a kill: they were no test"
        booked = sorted((row["reason"], row["adjustment_minor"]) for row in found["adjustments"])
        assert booked == sorted((f"Bonus {number}", 100 * (number + 1)) for number in range(WRITES))
        assert {row["price_minor"] for row in found["items"]} == {100 * WRITES}
        assert len(found["items"]) == ITEMS
        assert (len(found["installations"]), len(found["installed"])) == (1, 1)
        # Apps keep their newest tokens.
        tokens = work[2].result()[-20:]
        valid = [send_request("GET", f"{world.store.url()}/api/v1/me", token, None)[0] for token in tokens]
        assert valid == [200] * len(tokens)
