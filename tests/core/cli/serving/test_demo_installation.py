"""The demo survives whatever is edited or deleted of it, and stays as it was left."""

import json

import pytest
import pytest_asyncio
from comanda.accounts import administration, owner_login, services
from comanda.accounts.models import Owner
from comanda.cli.serving import demo_installation
from comanda.cli.serving.demo import _format_exports, _format_lines
from comanda.cli.serving.welcome import build_first_order, print_welcome
from comanda.platform import runtime
from comanda.platform.db import sql
from route_requests import everything_of

# What a run may add to after a first one: new tokens for those that were revoked.
GROWING = {"core_access_token"}
API = "/api/v1"


@pytest_asyncio.fixture(scope="module", loop_scope="session", autouse=True)
async def installation_without_demo(app):
    """Begin and end the module without a demo. To fill one in takes seconds, so its tests share what can be shared."""
    await forget_demo()
    yield
    await forget_demo()


@pytest.fixture
def filled(app):
    """Return a function that runs the demo, in an installation that has none, or one as its first run left it."""

    async def fill():
        made = await demo_installation.fill_demo()
        # Everything that `comanda demo` and `comanda run` print.
        assert _format_lines("http://x", made)
        assert _format_exports("http://x", made)
        print_welcome(made, await build_first_order(made))
        return made

    return fill


@pytest.fixture
async def filled_then_forgotten(filled):
    """Return the same function, for a test whose changes no other may meet."""
    yield filled
    await forget_demo()


async def forget_demo():
    """Let the next run find nothing of an earlier one: neither what it knows, nor names and addresses."""
    await sql.execute("DELETE FROM core_demo_thing")
    await sql.execute(
        """UPDATE core_store SET slug = id || '-gone' WHERE owner_id IN (
             SELECT id FROM core_owner WHERE email IN ('owner@demo.example', 'other@demo.example')
                OR email LIKE '%@new.example')"""
    )
    await sql.execute("UPDATE core_owner SET email = id || '@gone.example' WHERE email LIKE '%@demo.example'")
    (runtime.settings().data / demo_installation.TOKENS_FILE).unlink(missing_ok=True)


async def send(client, shown, method, path, body=None, *, expected=(200, 201, 204)):
    headers = {"Authorization": f"Bearer {shown.tokens['owner']}"}
    response = await client.open(API + path, method=method, headers=headers, **({} if body is None else {"json": body}))
    assert response.status_code in expected, await response.get_json()
    return None if response.status_code == 204 else await response.get_json()


async def listed(client, shown, path):
    """Return all records of a list."""
    page = await send(client, shown, "GET", f"{path}?per_page=100")
    return page["data"]


async def dump(shown):
    return {role: await everything_of(await Owner.get(id=id), but=GROWING) for role, id in shown.owners.items()}


async def restaurant(shown):
    return next(store["id"] for store in shown.stores if store["store_type"] == "restaurant")


async def test_a_second_run_changes_nothing(filled):
    await forget_demo()
    first = await filled()
    before = await dump(first)

    second = await filled()

    assert (second.tokens, second.logins, second.stores) == (first.tokens, first.logins, first.stores)
    assert await dump(second) == before


async def test_owner_signs_in_with_the_password_shown_until_it_is_changed(filled):
    first = await filled()
    login = first.logins["owner"]
    found = await owner_login.login_owner(login["email"], login["password"], "demo")
    assert found.id == first.owners["owner"]

    await owner_login.set_owner_password(found.id, "correct horse battery")

    assert (await filled()).logins["owner"] == {"email": login["email"], "password": None}
    await owner_login.set_owner_password(found.id, login["password"])


async def test_everything_renamed_stays_renamed_though_others_take_the_names(client, filled_then_forgotten):
    first = await filled_then_forgotten()
    store_id = await restaurant(first)
    people = await listed(client, first, f"/restaurants/{store_id}/staff")
    for number, person in enumerate(people):
        change = {"email": f"new-{number}@demo.example", "pin": f"90{number}7152", "name": "Renamed"}
        await send(client, first, "PUT", f"/restaurants/{store_id}/staff/{person['id']}", change)
    manager_pin = first.logins["staff"]["manager"]["pin"]
    other = {"name": "Somebody", "role": "cashier", "email": "marta@demo.example", "pin": manager_pin,
             "password": "violet door at dusk"}  # fmt: skip
    await send(client, first, "POST", f"/restaurants/{store_id}/staff", other)
    for driver in await listed(client, first, "/drivers"):
        await send(client, first, "PUT", f"/drivers/{driver['id']}", {"phone": "+351961234999", "name": "Renamed"})
    await send(client, first, "POST", "/drivers", {"name": "Other", "phone": "+351961234567"})
    for store in first.stores:
        await sql.execute("UPDATE core_store SET slug = slug || '-new', title = 'New' WHERE id = $1", store["id"])
    for role, owner_id in first.owners.items():
        await sql.execute("UPDATE core_owner SET email = $2 WHERE id = $1", owner_id, f"{role}-{owner_id}@new.example")
    strangers = [
        await services.create_owner(email, "Stranger") for email in ("owner@demo.example", "other@demo.example")
    ]
    before = await dump(first)

    second = await filled_then_forgotten()

    assert second.owners == first.owners
    assert {owner.id for owner in strangers}.isdisjoint(second.owners.values())
    assert [store["id"] for store in second.stores] == [store["id"] for store in first.stores]
    assert all(str(store["slug"]).endswith("-new") for store in second.stores)
    assert await dump(second) == before
    # What was changed is not shown as if it still let somebody in.
    manager = second.logins["staff"]["manager"]
    assert (manager["pin"], manager["email"]) == (None, manager["email"])
    assert manager["email"].startswith("new-")
    assert "null" not in "\n".join(_format_exports("http://x", second))


async def test_everything_deleted_stays_deleted(client, filled_then_forgotten):
    first = await filled_then_forgotten()
    store_id = await restaurant(first)
    home = f"/restaurants/{store_id}"
    await delete_all(client, first, [f"{home}/staff", f"{home}/coupons", f"{home}/stations", "/drivers"])
    for category in await (await client.get(f"{API}/menu/{store_id}")).get_json():
        for item in category["items"]:
            await send(client, first, "DELETE", f"{home}/menu/items/{item['id']}")
        # One that still has something that guests do not see answers 409.
        path = f"{home}/menu/categories/{category['id']}"
        await send(client, first, "DELETE", path, expected=(204, 409))
    for reservation in await listed(client, first, f"{home}/reservations"):
        await send(client, first, "PUT", f"{home}/reservations/{reservation['id']}/status", {"status": "cancelled"})
    await delete_all(client, first, [f"{home}/tables", f"{home}/customers"])
    await send(client, first, "PUT", f"{home}/delivery-terms", {"bands": []})
    before = await dump(first)

    second = await filled_then_forgotten()

    assert await dump(second) == before
    assert {"staff", "driver", "customer"}.isdisjoint(second.tokens)
    assert second.logins["staff"] == {"restaurant_id": store_id}


async def delete_all(client, shown, paths):
    for path in paths:
        for record in await listed(client, shown, path):
            if record.get("is_default"):
                continue  # a kitchen keeps its last station
            await send(client, shown, "DELETE", f"{path}/{record['id']}")


async def test_stores_that_are_gone_or_closed_stay_so(filled):
    first = await filled()
    await sql.execute("UPDATE core_store SET is_published = false WHERE owner_id = $1", first.owners["owner"])

    second = await filled()

    assert [store["id"] for store in second.stores] == [store["id"] for store in first.stores]
    await sql.execute("UPDATE core_store SET is_published = true WHERE owner_id = $1", first.owners["owner"])


async def test_revoked_tokens_are_made_anew(filled):
    first = await filled()
    for token in await administration.list_tokens((await Owner.get(id=first.owners["owner"])).email):
        await services.revoke_token(first.owners["owner"], token.id)

    second = await filled()

    assert second.tokens["owner"] != first.tokens["owner"]
    assert json.loads((runtime.settings().data / demo_installation.TOKENS_FILE).read_text()) == second.tokens


async def test_restaurant_is_busy_at_the_first_look(filled, client):
    shown = await filled()
    await filled()

    path = f"/restaurants/{await restaurant(shown)}"
    newest = await listed(client, shown, f"{path}/orders")
    open_ = [order for order in newest if order["status"] not in {"completed", "cancelled"}]
    assert [order["status"] for order in open_] == ["new", "new", "preparing", "preparing", "ready"]
    assert {order["type"] for order in open_} == {"on-table", "takeaway"}
    assert all(order["payment_status"] == "unpaid" for order in open_)
    assert all(order["table_number"] or order["customer_name"] for order in open_)


async def test_stores_have_a_month_of_ended_orders_that_add_up(filled, client):
    shown = await filled()

    assert shown.stores
    for store in shown.stores:
        path = f"/restaurants/{store['id']}"
        found = await send(client, shown, "GET", f"{path}/orders?per_page=100")
        assert found["total"] > 100, store
        ended = [order for order in found["data"] if order["status"] in {"completed", "cancelled"}]
        assert found["data"][-len(ended) :] == ended
        assert len(found["data"]) - len(ended) == (5 if store["id"] == await restaurant(shown) else 0)
        days = await sql.fetch_value(
            "SELECT count(DISTINCT business_date) FROM core_order WHERE owner_id = $1 AND store_id = $2",
            shown.owners["owner"], store["id"],
        )  # fmt: skip
        assert days >= 25
        order = next(each for each in found["data"] if each["payment_status"] == "paid")
        (payment,) = await listed(client, shown, f"{path}/orders/{order['id']}/payments")
        assert payment["amount"] == order["total"]
        report = await send(client, shown, "GET", f"{path}/analytics")
        assert report["orders"]["total"] > 100
    guests = await listed(client, shown, f"/restaurants/{await restaurant(shown)}/guests")
    assert max(guest["orders"] for guest in guests) > 3


async def test_welcome_says_where_login_codes_can_be_read(filled, capsys):
    await filled()

    printed = capsys.readouterr().out
    assert "outbox, or http://comanda.test/outbox/" in printed
