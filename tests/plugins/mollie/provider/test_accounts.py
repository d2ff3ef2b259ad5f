"""Accounts at Mollie: the profile of a key, and what is missing until it takes payments."""

import pytest
from comanda_mollie.client import UNKNOWN_KEY, UNKNOWN_TOKEN
from comanda_mollie.provider.accounts import BLOCKED, DELETED, NO_METHOD, REJECTED, UNVERIFIED
from mollie_api import KEY, ORGANIZATION_TOKEN

ACCOUNTS = "/api/v1/payment-accounts"
LIVE_KEY = "live_owner1"


@pytest.fixture
def live(api):
    api.keys[LIVE_KEY] = "pfl_own"


@pytest.fixture
def check(store):
    async def ask(account):
        return await store.send_to(f"{ACCOUNTS}/{account['id']}/check", "POST")

    return ask


@pytest.mark.parametrize(("key", "mode"), [(KEY, "test"), (LIVE_KEY, "live")])
async def test_account_is_the_profile_of_its_key(api, live, connect, key, mode):
    account = await connect(key)

    assert (account["state"], account["mode"], account["reason"]) == ("ready", mode, None)
    assert (account["external_id"], account["capabilities"]) == ("pfl_own", ["in_person", "online", "refunds"])


@pytest.mark.parametrize(
    ("key", "changes", "state", "reason"),
    [
        (LIVE_KEY, {"status": "unverified"}, "pending", UNVERIFIED),
        (LIVE_KEY, {"status": "unverified", "review": {"status": "pending"}}, "pending", UNVERIFIED),
        (LIVE_KEY, {"status": "unverified", "review": {"status": "rejected"}}, "pending", REJECTED),
        (LIVE_KEY, {"status": "verified", "review": {"status": "rejected"}}, "ready", REJECTED),
        (LIVE_KEY, {"status": "blocked"}, "restricted", BLOCKED),
        (KEY, {"status": "blocked"}, "restricted", BLOCKED),
        (KEY, {"status": "unverified"}, "ready", None),
        (LIVE_KEY, {"status": "a_new_one"}, "pending", UNVERIFIED),
    ],
)
async def test_state_of_a_profile(api, live, connect, key, changes, state, reason):
    api.get_profile("pfl_own").update(changes)

    account = await connect(key)

    assert (account["state"], account["reason"]) == (state, reason)


async def test_profile_without_a_method_takes_no_payments(api, connect, check):
    account = await connect()
    api.methods.clear()

    checked = await check(account)

    assert (checked["state"], checked["reason"]) == ("restricted", NO_METHOD)


@pytest.mark.parametrize("key", ["test_unknown", "nonsense", "test_\r\nX: 1", "sk_test_1", "test_é"])
async def test_unknown_key_is_refused(api, connect, store, key):
    reply = await connect(key)

    assert (reply.status, reply.errors) == (422, {"credentials": [UNKNOWN_KEY]})
    assert (await store.send_to(ACCOUNTS))["data"] == []


async def test_key_that_was_revoked_restricts_the_account(api, connect, check):
    account = await connect()
    del api.keys[KEY]

    checked = await check(account)

    assert (checked["state"], checked["reason"]) == ("restricted", UNKNOWN_KEY)


async def test_profile_that_was_deleted_is_revoked(api, connect, check):
    account = await connect()
    api.refuse = 410

    checked = await check(account)

    assert (checked["state"], checked["reason"]) == ("revoked", DELETED)


async def test_mollie_that_is_away_changes_nothing(api, connect, check):
    account = await connect()
    api.refuse = 503

    checked = await check(account)

    assert (checked["state"], checked["reason"]) == ("ready", None)


@pytest.mark.parametrize("token", ["access_unknown", "nonsense"])
async def test_token_that_is_not_known_is_no_matter_of_payments(api, connect, token):
    account = await connect(organization_token=token)

    assert (account["state"], account["reason"]) == ("ready", UNKNOWN_TOKEN)


async def test_token_is_never_shown(api, connect, store):
    account = await connect(organization_token=ORGANIZATION_TOKEN)

    assert account["state"] == "ready"
    assert ORGANIZATION_TOKEN not in str((await store.send_to(ACCOUNTS)).document)


async def test_key_of_another_profile_does_not_replace_one(api, connect, store):
    account = await connect()
    api.keys["test_other"] = "pfl_other"

    body = {"credentials": {"api_key": "test_other"}}
    reply = await store.send_to(f"{ACCOUNTS}/{account['id']}/credentials", "PUT", body)

    assert (reply.status, reply["reason"]) == (422, "other_account")


async def test_providers_say_what_may_be_left_out(api, store):
    providers = (await store.send_to("/api/v1/payment-providers")).document
    [mollie] = [each for each in providers if each["code"] == "mollie"]

    assert [(each["name"], each["is_required"]) for each in mollie["fields"]] == [
        ("api_key", True), ("organization_token", False),
    ]  # fmt: skip
