"""What customers have connected, its limit and its ends."""

import asyncio

import pytest
from comanda.basics import ValidationFailed
from comanda.contracts import Caller, Person
from comanda.platform.db import sql
from comanda_customers.services.personal_data import data_export, erasure
from comanda_oauth.models import ClientKind, ClientOrigin
from comanda_oauth.records import NewClient
from comanda_oauth.services.clients import clients
from comanda_oauth.services.installations import connections

TABLES = ("oauth_installation", "oauth_code", "oauth_grant", "oauth_access_token", "oauth_refresh_token")


async def count_rows(owner):
    return [await sql.fetch_value(f"SELECT count(*) FROM {table} WHERE owner_id = $1", owner.id) for table in TABLES]


async def connect(guest, client_row_id, granted=("orders",)):
    async with sql.transaction():
        return await connections.connect(guest.session.caller, client_row_id, granted)


async def test_customer_connects_a_client_once(assistant, guest):
    client_row_id = assistant.issued.client.id

    found = await asyncio.gather(*(connect(guest, client_row_id) for _ in range(3)))

    assert len({each.id for each in found}) == 1
    assert [each.name for each in await connections.list_connections(guest.session.caller)] == ["Assistant"]


async def test_connections_of_a_customer_are_limited(guest, monkeypatch):
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 1)
    new = NewClient("Assistant", ("https://app.example.com/",), ("orders",), ClientKind.PUBLIC)
    first, second = [(await clients.create_client(0, new, ClientOrigin.REGISTRATION)).client.id for _ in range(2)]
    await connect(guest, first)

    with pytest.raises(ValidationFailed):
        await connect(guest, second)
    await connect(guest, first, ("orders", "profile"))


async def test_disconnecting_ends_tokens_and_leaves_nothing(assistant, guest, wish, call_tool, owner):
    tokens = await assistant.get_tokens(**wish)
    await assistant.authorize(**wish)
    [connection] = await connections.list_connections(guest.session.caller)

    await connections.disconnect(guest.session.caller, connection.id)

    assert (await call_tool(tokens["access_token"], "my_orders")).status_code == 401
    assert (await assistant.refresh(tokens["refresh_token"])).status_code == 400
    assert await count_rows(owner) == [0, 0, 0, 0, 0]


async def test_customer_ends_no_connection_of_another(assistant, guest, wish, call_tool, owner):
    tokens = await assistant.get_tokens(**wish)
    [connection] = await connections.list_connections(guest.session.caller)
    stranger = Caller("customer", 0, owner.id, guest.store.id, guest.customer_id + 1, frozenset(), None)

    await connections.disconnect(stranger, connection.id)

    assert (await call_tool(tokens["access_token"], "my_orders")).status_code == 200
    assert await connections.list_connections(stranger) == []


async def test_erasure_ends_tokens_and_deletes_the_consent(assistant, guest, wish, call_tool, owner):
    tokens = await assistant.get_tokens(**wish)
    code = await assistant.authorize(**wish)
    caller = Caller("owner", 0, owner.id, None, None, frozenset("*"), None)
    [shown] = (await data_export.export_customer(caller, guest.store.id, guest.customer_id)).records["oauth"]
    assert (shown["name"], shown["client_id"]) == (assistant.issued.client.name, assistant.issued.client.client_id)
    assert shown["scopes"]

    await erasure.erase_customer(caller, guest.store.id, guest.customer_id)

    assert (await call_tool(tokens["access_token"], "my_orders")).status_code == 401
    assert (await assistant.exchange(code)).status_code == 400
    assert (await assistant.refresh(tokens["refresh_token"])).status_code == 400
    assert await count_rows(owner) == [0, 0, 0, 0, 0]
    assert (await guest.decide(**assistant.request(**wish))).status_code == 403


async def test_erasure_of_one_customer_leaves_others(assistant, guest, wish, call_tool, owner):
    tokens = await assistant.get_tokens(**wish)

    other = Person(owner.id, guest.store.id, guest.customer_id + 1, frozenset(), frozenset(), frozenset())
    await connections.erase_connections(other)

    assert (await call_tool(tokens["access_token"], "my_orders")).status_code == 200


async def test_deleted_client_loses_its_customers(assistant, guest, wish, call_tool, owner):
    tokens = await assistant.get_tokens(**wish)

    await clients.delete_client(0, assistant.issued.client.id)

    assert (await call_tool(tokens["access_token"], "my_orders")).status_code == 401
    assert await count_rows(owner) == [0, 0, 0, 0, 0]
