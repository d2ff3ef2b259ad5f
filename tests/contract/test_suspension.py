"""A suspended owner: nobody gets in, asked of every route, kind of caller, MCP server and public page that there is."""

import asyncio

import pytest
from comanda.accounts import administration, services, web_sessions
from comanda.contracts.requests.routes import API_PREFIX
from comanda.devkit.testing.client import CheckedClient
from comanda.devkit.testing.stores import line
from comanda.platform.http import live_updates
from installed_plugins import get_registry
from quart import Quart
from route_requests import called, filled
from sweep import sweep

# Routes and pages that need no token and lead to something of an owner: how to get there. Each answers before the
# suspension, in whatever way, and as if nothing were there during it.
PUBLIC = {
    "GET /api/v1/menu/{restaurantId}": "GET /api/v1/menu/{store}",
    "GET /api/v1/menu/{restaurantId}/languages/{language}": "GET /api/v1/menu/{store}/languages/de",
    "GET /api/v1/track/{token}": "GET /api/v1/track/{token}",
    "POST /api/v1/track/{token}/cancel": "POST /api/v1/track/{token}/cancel",
    "POST /api/v1/track/{token}/lines": "POST /api/v1/track/{token}/lines",
    "POST /api/v1/track/{token}/push/register-device": "POST /api/v1/track/{token}/push/register-device",
    "POST /api/v1/track/{token}/push/unregister-device": "POST /api/v1/track/{token}/push/unregister-device",
    "POST /s/{slug}/quote": "POST /s/{slug}/quote",
    "POST /s/{slug}/orders": "POST /s/{slug}/orders",
    "POST /s/{slug}/table-checks": "POST /s/{slug}/table-checks",
    "POST /api/v1/restaurants/{id}/customer/register": "POST /api/v1/restaurants/{store}/customer/register",
    "POST /api/v1/restaurants/{id}/customer/login": "POST /api/v1/restaurants/{store}/customer/login",
    "POST /api/v1/restaurants/{id}/customer/otp/request": "POST /api/v1/restaurants/{store}/customer/otp/request",
    "POST /api/v1/restaurants/{id}/customer/otp/verify": "POST /api/v1/restaurants/{store}/customer/otp/verify",
    "POST /api/v1/restaurants/{id}/staff/login": "POST /api/v1/restaurants/{store}/staff/login",
    "POST /api/v1/restaurants/{id}/staff/pin": "POST /api/v1/restaurants/{store}/staff/pin",
    "POST /api/v1/restaurants/{id}/staff-devices/requests": "POST /api/v1/restaurants/{store}/staff-devices/requests",
    "POST /pay/{token}/start": "POST /pay/{token}/start",
    "GET /pay/{token}/return": "GET /pay/{token}/return",
    "GET /s/<slug>": "GET /s/{slug}",
    "GET /s/<slug>.md": "GET /s/{slug}.md",
    "GET /s/<slug>/manifest.webmanifest": "GET /s/{slug}/manifest.webmanifest",
    "GET /s/<slug>/menu": "GET /s/{slug}/menu",
    "GET /s/<slug>/search": "GET /s/{slug}/search?q=soup",
    "GET /s/<slug>/items/<int:item_id>": "GET /s/{slug}/items/{item}",
    "GET /s/<slug>/categories/<int:category_id>": "GET /s/{slug}/categories/{category}",
    "GET /s/{slug}/items/{itemId}/details": "GET /s/{slug}/items/{item}/details",
    "GET /s/{slug}/times": "GET /s/{slug}/times?type=takeaway",
    "GET /t/<token>": "GET /t/{token}",
    "GET /t/<token>/events": "GET /t/{token}/events",
    "GET /pay/<token>": "GET /pay/{token}",
}
SUBSCRIPTION = {"token": '{"endpoint": "https://push.example.com/3f", "keys": {"p256dh": "BOr", "auth": "k8J"}}'}
BODIES = {
    "register-device": SUBSCRIPTION,
    "lines": {"items": "ITEMS"},
    "quote": {"type": "takeaway", "items": "ITEMS"},
    "orders": {"type": "takeaway", "items": "ITEMS", "customer_name": "Ada", "phone": "+351912345678"},
    "register": {"name": "Ada", "email": "ada@example.com", "password": "correct horse battery", "device": "phone"},
    "customer/login": {"email": "ada@example.com", "password": "correct horse battery", "device": "phone"},
    "otp/request": {"phone": "+351912345678"},
    "otp/verify": {"phone": "+351912345678", "code": "000000"},
    "staff/login": {"email": "ada@example.com", "password": "correct horse battery", "device": "phone"},
    "pin": {"pin": "111111", "device": "till"},
    "requests": {"device": "till", "name": "Till"},
}
# What browsers send with requests of a page of this host.
OWN_PAGE = {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"}
# Those that lead to nothing of an owner, or that a test of their own tries.
# The account on a store's page needs a session, which the named test has.
ACCOUNT_TEST = "tests/plugins/customers/routes/test_store_pages.py"
CONNECTIONS_TEST = "tests/plugins/oauth/routes/test_store_page.py"
ROOMS_TEST = "tests/verticals/hotel/pages/test_guest_rooms.py"
WEBHOOKS_TEST = "tests/plugins/payments/services/test_provider_webhooks.py"
DISPLAYS_TEST = "tests/plugins/till/routes/test_displays.py"
GIFT_CARDS_TEST = "tests/plugins/payments/pages/test_guest_gift_cards.py"
TABLES_TEST = "tests/plugins/reservations/pages/test_guest_tables.py"
INVOICES_TEST = "tests/plugins/invoices/pages/test_guest.py"
RECEIPTS_TEST = "tests/plugins/invoices/pages/test_receipts.py"
WAITLIST_TEST = "tests/plugins/reservations/pages/test_guest_waitlist.py"
WITHDRAWALS_TEST = "tests/plugins/legal/pages/test_withdrawal_pages.py"
TWILIO_TEST = "tests/plugins/apprise/routes/test_twilio_reports.py"
CHANNELS_TEST = "tests/plugins/foreign_orders/test_participant.py"
GATEWAY_TEST = "tests/plugins/notifications/routes/test_gateway_reports.py"
PRINTERS_TEST = "tests/plugins/printing/routes"
AGENTS_TEST = "tests/plugins/ucp/routes/test_profile.py"
ELSEWHERE = {
    "GET /s/{slug}/.well-known/ucp": AGENTS_TEST,
    "POST /s/{slug}/ucp/catalog/search": AGENTS_TEST,
    "POST /s/{slug}/ucp/catalog/lookup": AGENTS_TEST,
    "POST /s/{slug}/ucp/catalog/product": AGENTS_TEST,
    "POST /s/{slug}/ucp/carts": AGENTS_TEST,
    "GET /s/{slug}/ucp/carts/{token}": AGENTS_TEST,
    "PUT /s/{slug}/ucp/carts/{token}": AGENTS_TEST,
    "POST /s/{slug}/ucp/carts/{token}/cancel": AGENTS_TEST,
    "POST /s/{slug}/ucp/checkout-sessions": AGENTS_TEST,
    "GET /s/{slug}/ucp/checkout-sessions/{token}": AGENTS_TEST,
    "PUT /s/{slug}/ucp/checkout-sessions/{token}": AGENTS_TEST,
    "POST /s/{slug}/ucp/checkout-sessions/{token}/complete": AGENTS_TEST,
    "POST /s/{slug}/ucp/checkout-sessions/{token}/cancel": AGENTS_TEST,
    "POST /printers/cloudprnt/{code}": PRINTERS_TEST,
    "GET /printers/cloudprnt/{code}": PRINTERS_TEST,
    "DELETE /printers/cloudprnt/{code}": PRINTERS_TEST,
    "POST /printers/epson/{code}": PRINTERS_TEST,
    # What became of a message counts, whoever is suspended meanwhile.
    "POST /api/v1/sms-service/{ownerId}/twilio/reports/{messageId}": TWILIO_TEST,
    "POST /api/v1/sms-service/{ownerId}/twilio/replies": TWILIO_TEST,
    # Guests have paid elsewhere: orders of a suspended owner are rejected there.
    "POST /api/v1/hubrise/{ownerId}/{connectionId}/callback": CHANNELS_TEST,
    "POST /api/v1/deliverect/{ownerId}/{connectionId}/orders": CHANNELS_TEST,
    "POST /api/v1/messages/gateway/reports": GATEWAY_TEST,
    "POST /api/v1/messages/gateway/replies": GATEWAY_TEST,
    "GET /api/v1/web-push/key": "tests/plugins/web_push/routes/test_push_key.py",
    "GET /photos/{restaurantId}/{name}": "tests/core/platform/photos/test_routes.py",
    "GET /api/v1/menu/{restaurantId}/slots": "tests/plugins/collection/routes/test_slots.py",
    "GET /api/v1/delivery-photos/{id}": "tests/core/platform/encryption/test_signed_links.py",
    "POST /api/v1/restaurants/{id}/staff-devices/requests/poll": "the request that it asks about cannot be made",
    "GET /s/{slug}/account": ACCOUNT_TEST,
    "POST /s/{slug}/account/code": ACCOUNT_TEST,
    "POST /s/{slug}/account/session": ACCOUNT_TEST,
    "DELETE /s/{slug}/account/session": ACCOUNT_TEST,
    "PUT /s/{slug}/account/profile": ACCOUNT_TEST,
    "POST /s/{slug}/account/addresses": ACCOUNT_TEST,
    "PUT /s/{slug}/account/addresses/{id}": ACCOUNT_TEST,
    "DELETE /s/{slug}/account/addresses/{id}": ACCOUNT_TEST,
    "GET /s/{slug}/account/orders": ACCOUNT_TEST,
    "PUT /s/{slug}/account/cart": ACCOUNT_TEST,
    "GET /s/{slug}/account/connections": CONNECTIONS_TEST,
    "DELETE /s/{slug}/account/connections/{id}": CONNECTIONS_TEST,
    "GET /s/{slug}/loyalty": "tests/plugins/loyalty/routes/test_store_page.py",
    # What was paid counts, whoever is suspended meanwhile.
    "POST /api/v1/payments/webhooks/{provider}": WEBHOOKS_TEST,
    "POST /api/v1/payments/webhooks/{provider}/{accountRef}": WEBHOOKS_TEST,
    "GET /till/display/<code>": DISPLAYS_TEST,
    "GET /till/display/<code>/events": DISPLAYS_TEST,
    "GET /s/<slug>/gift-cards": GIFT_CARDS_TEST,
    "POST /s/{slug}/gift-card-sales": GIFT_CARDS_TEST,
    "GET /gift-cards/<int:prepayment_id>": GIFT_CARDS_TEST,
    "POST /prepayments/{prepaymentId}/start": GIFT_CARDS_TEST,
    "GET /prepayments/{prepaymentId}/return": GIFT_CARDS_TEST,
    "GET /demobank/<reference>": "tests/plugins/demobank/pages/test_bank.py",
    "POST /demobank/{reference}/answer": "tests/plugins/demobank/routes/test_answers.py",
    "GET /demobank-readers/<reference>": "tests/plugins/demobank/pages/test_bank.py",
    "POST /demobank-readers/{reference}/answer": "tests/plugins/demobank/services/test_readers.py",
    "GET /s/<slug>/legal/<name>": "tests/plugins/legal/pages/test_legal_pages.py",
    "GET /s/<slug>/legal/withdraw": WITHDRAWALS_TEST,
    "POST /s/<slug>/legal/withdraw": WITHDRAWALS_TEST,
    "POST /s/{slug}/withdrawals": WITHDRAWALS_TEST,
    "GET /withdraw/<token>": WITHDRAWALS_TEST,
    "POST /withdraw/<token>": WITHDRAWALS_TEST,
    "POST /withdraw/{token}/statement": WITHDRAWALS_TEST,
    "GET /legal/withdrawals/<int:withdrawal_id>": WITHDRAWALS_TEST,
    "GET /s/<slug>/rooms": ROOMS_TEST,
    "GET /s/<slug>/rooms/<int:type_id>": ROOMS_TEST,
    "POST /s/{slug}/rooms/{typeId}/stays": ROOMS_TEST,
    "GET /stays/<int:stay_id>": ROOMS_TEST,
    "POST /stays/{stayId}/cancellation": ROOMS_TEST,
    "GET /room-calendars/{token}.ics": "tests/verticals/hotel/routes/test_calendars.py",
    "GET /s/<slug>/tables": TABLES_TEST,
    "POST /s/{slug}/reservations": TABLES_TEST,
    "GET /reservations/<int:reservation_id>": TABLES_TEST,
    "POST /reservations/{reservationId}/cancellation": TABLES_TEST,
    "GET /s/<slug>/waitlist": WAITLIST_TEST,
    "POST /s/{slug}/waitlist/parties": WAITLIST_TEST,
    "GET /reservations/waitlist/<int:party_id>": WAITLIST_TEST,
    "POST /reservations/waitlist/{partyId}/departure": WAITLIST_TEST,
    "GET /invoice/<token>": INVOICES_TEST,
    "POST /invoice/{token}/request": INVOICES_TEST,
    "GET /receipt/<token>": RECEIPTS_TEST,
    "POST /receipt/{token}/send": RECEIPTS_TEST,
    "GET /s/<slug>/vehicles": "tests/verticals/carparts/pages/test_vehicles.py",
    "GET /sitemap-<int:part>.xml": "tests/core/web/test_sitemap.py",
    "GET /docs/guide/<name>.md": "the guide, which nobody owns",
    "GET /mcp/<name>/server-card": "what is installed, which anybody may read",
    "GET /theme-assets/<version>/<name>": "the look of a page, under an address that only the page tells",
    "GET /api/v1/app/path-configuration/{platform}.json": "what this installation offers phone apps",
    "GET /app/path-configuration/{platform}.json": "what this installation offers phone apps",
    "POST /account/security/passkeys/<int:passkey_id>/name": "needs a session",
    "POST /account/security/passkeys/<int:passkey_id>/delete": "needs a session",
    "POST /account/security/oidc/<slug>/link": "needs a session",
    "POST /account/security/oidc/<int:identity_id>/unlink": "needs a session",
    "GET /sign-in/oidc/<slug>": "leads to a provider before anybody is known",
    "GET /sign-in/oidc/<slug>/callback": "tests/plugins/oidc/pages/test_blueprint.py",
    "GET /setup/<token>": "there is no owner yet",
    "POST /setup/<token>": "there is no owner yet",
    "GET /sign-in/reset/<token>": "tests/core/web/test_password_reset_pages.py",
    "POST /sign-in/reset/<token>": "tests/core/web/test_password_reset_pages.py",
    "GET /api/v1/app/handoff/{nonce}": "tests/plugins/mobile",
    "GET /app/handoff/{nonce}": "tests/plugins/mobile",
    "GET /app-screenshots/{appId}/{name}": "a listing, which reviewers delist",
    "GET /reseller/invoices/<int:invoice_id>": "needs a web session or a signed link; tests/core/platform",
    "GET /reseller/invoices/<int:invoice_id>.pdf": "needs a web session or a signed link; tests/core/platform",
    "GET /reseller/invitations/<secret>": "of the customer, whom nobody has suspended yet",
    "POST /reseller/invitations/<secret>": "of the customer, whom nobody has suspended yet",
    "GET /apps/<int:app_id>/embed": "needs a web session, which a test below tries",
    "POST /apps/<int:app_id>/embed/session-token": "needs a web session, which a test below tries",
    "GET /.well-known/oauth-protected-resource/{first}": "the resources of this installation",
    "GET /.well-known/oauth-protected-resource/{first}/{second}": "the resources of this installation",
    "GET /docs/<name>/": "the operations of this installation",
    "GET /docs/guide/<name>": "a chapter of this installation",
}


def list_public_addresses():
    """Return the addresses with parameters that need no token: of routes, and of pages that are not static files."""
    found = [called_in_full(route) for route in get_registry().routes if not route.callers and "{" in route.full_path]
    app = Quart("pages", static_folder=None)
    for pages in get_registry().pages:
        app.register_blueprint(pages.blueprint)
    for rule in app.url_map.iter_rules():
        # Pages of the dashboard need a session; test_dashboard.py tries each of them as a suspended owner.
        of_dashboard = hasattr(app.view_functions[rule.endpoint], "dashboard_rule")
        if rule.arguments and not of_dashboard and not rule.endpoint.endswith(".static"):
            found += [f"{method} {rule.rule}" for method in sorted(rule.methods - {"HEAD", "OPTIONS"})]
    return found


def called_in_full(route):
    return f"{route.method} {route.full_path}"


def test_every_public_address_is_tried_or_excused():
    """Whoever adds a public address says here how to get to something of an owner by it, or why nobody can."""
    addresses = list_public_addresses()

    assert [each for each in addresses if each not in PUBLIC and each not in ELSEWHERE] == []
    assert [each for each in PUBLIC if each not in addresses] == []


async def issue(kind, owner, store_id):
    """Return the headers of a token of any kind."""
    issued = await services.issue_token(kind, owner.id, ["*"], name="test", store_id=store_id, subject_id=1)
    return {kind.header: f"Bearer {issued.secret}" if kind.header == "authorization" else issued.secret}


async def test_routes_refuse_tokens_of_a_suspended_owner(client, owner, store_id, tally):
    kinds = get_registry().caller_kinds.values()
    headers = {kind.code: await issue(kind, owner, store_id) for kind in kinds}
    assert headers.keys() >= {"owner", "storefront", "customer", "driver", "staff"}
    await administration.suspend_owner(owner.id, "Unpaid")
    await tally.take()

    with sweep(at_least=350) as checks:
        for kind in kinds:
            for route in get_registry().routes:
                if not {kind.code, kind.acts_as} & set(route.callers):
                    continue
                with checks.check(f"{kind.code} {called(route)}"):
                    body = {"json": {}} if route.method in {"POST", "PUT", "PATCH"} else {}
                    path = filled(route, [1] * 9)
                    response = await client.open(path, method=route.method, headers=headers[kind.code], **body)

                    document = await response.get_json()
                    expected = (404, None) if kind.is_public else (403, "account_suspended")
                    assert (response.status_code, document.get("reason")) == expected
                    assert await tally.take() == {}

    await administration.unsuspend_owner(owner.id)
    for kind in kinds:
        assert await services.is_valid_token(headers[kind.code][kind.header].removeprefix("Bearer "), owner.id)


async def test_mcp_servers_refuse_agents_of_a_suspended_owner(client, owner, store_id):
    await administration.suspend_owner(owner.id, "Unpaid")
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    with sweep(at_least=3) as checks:
        for server in get_registry().mcp_servers.values():
            for code in server.callers:
                with checks.check(f"{server.path} {code}"):
                    kind = get_registry().caller_kinds[code]
                    accepted = {"Accept": "application/json, text/event-stream"}
                    headers = {**await issue(kind, owner, store_id), **accepted}

                    response = await client.post(server.path, json=message, headers=headers)

                    assert response.status_code == (404 if kind.is_public else 403)
                    assert "tools" not in str(await response.get_json())


@pytest.fixture
async def shop(store):
    """Return what the addresses name: a published restaurant with an item and an order, and a valid line of it."""
    item = await store.item("Soup")
    order = await store.order(line(item))
    slug = (await store.get())["slug"]
    names = {"store": store.id, "slug": slug, "token": order["track_token"], "item": item["id"]}
    return {**names, "category": item["category_id"]}, [line(item)]


async def visit(app, address, names, lines):
    """Go to a public address and return the status. Streams are left at once."""
    method, _, path = PUBLIC[address].partition(" ")
    path = path.format(**names)
    client = CheckedClient(app)
    if path.endswith("/events"):
        async with client.request(path, method=method) as connection:
            await connection.send_complete()
            await connection.receive()
            return connection.status_code
    body = next((fields for ending, fields in BODIES.items() if path.endswith(ending)), {})
    body = {name: lines if value == "ITEMS" else value for name, value in body.items()}
    options = {"json": body} if method == "POST" else {}
    response = await client.open(path, method=method, headers=OWN_PAGE, **options)
    if response.status_code == 303:
        # A form leads to its page in any case, so that its answer does not say which tokens there are.
        response = await client.get(response.headers["Location"].removeprefix("http://comanda.test"))
    return response.status_code


@pytest.mark.usefixtures("short_streams")
async def test_public_addresses_of_a_suspended_owner_look_as_if_nothing_were_there(app, owner, shop, tally):
    with sweep(at_least=3 * 15) as checks:
        await check_public_addresses(checks, app, shop)
        await administration.suspend_owner(owner.id, "Unpaid")
        await tally.take()
        for address in PUBLIC:
            with checks.check(f"{address} of a suspended owner"):
                assert await visit(app, address, *shop) == 404
                assert await tally.take() == {}
        await administration.unsuspend_owner(owner.id)
        await check_public_addresses(checks, app, shop)


async def check_public_addresses(checks, app, shop):
    for address in PUBLIC:
        with checks.check(address):
            assert await visit(app, address, *shop) not in {404, 500}


async def test_stream_of_an_order_ends_with_the_suspension(app, owner, shop, monkeypatch):
    # By itself it would neither end nor look while the test waits.
    monkeypatch.setattr(live_updates, "MAX_STREAM_SECONDS", 3600)
    monkeypatch.setattr(live_updates, "HEARTBEAT_SECONDS", 3600)
    client = CheckedClient(app)
    async with asyncio.timeout(120), client.request(f"/t/{shop[0]['token']}/events") as connection:
        await connection.send_complete()
        assert b"event: progress" in b"".join([await connection.receive() for _ in range(2)])
        await administration.suspend_owner(owner.id, "Unpaid")
    # Leaving the block has waited until the stream ended.


async def test_kitchen_does_not_find_the_store_of_a_suspended_owner(client, owner, shop):
    address = f"/staff-pages/store?address={shop[0]['slug']}"
    assert (await client.get(address)).status_code == 200

    await administration.suspend_owner(owner.id, "Unpaid")

    assert (await client.get(address)).status_code == 404


async def test_web_sessions_of_a_suspended_owner_wait(owner):
    secret, session = await web_sessions.create_session(owner_id=owner.id)
    staff, _ = await web_sessions.create_session(owner_id=owner.id, kind="staff", subject_id=1)

    await administration.suspend_owner(owner.id, "Unpaid")

    assert (await web_sessions.find_session(secret), await web_sessions.find_session(staff)) == (None, None)
    await administration.unsuspend_owner(owner.id)
    assert (await web_sessions.find_session(secret)).id == session.id


def test_prefix_of_the_api_is_that_of_the_addresses():
    assert any(each.startswith(f"GET {API_PREFIX}/") for each in PUBLIC)
