"""Every page and form of the dashboard, as the router has them: sessions, forms of other sites, stores, scopes."""

from functools import cache

import pytest
from comanda.accounts import administration
from comanda.contracts.scopes import is_granted
from comanda.contracts.web.dashboard import PREFIX, Audience
from comanda.devkit.testing.callers import create_test_owner
from comanda.devkit.testing.dashboard import sign_in
from comanda.web.sign_in.sessions import CSRF_FIELD
from installed_plugins import get_registry
from quart import Quart
from route_requests import NOBODYS
from sweep import sweep


@cache
def list_pages():
    """List the address and the rule of each page, as the application would mount it."""
    app = Quart("pages", static_folder=None)
    for pages in get_registry().pages:
        app.register_blueprint(pages.blueprint)
    found = []
    for rule in app.url_map.iter_rules():
        declared = getattr(app.view_functions[rule.endpoint], "dashboard_rule", None)
        if declared is not None:
            found.append((rule, declared))
    return found


def called(page):
    return f"{page.method} {page.path}"


def fill(rule, store_id):
    """Return the address with the store's id, and ids that nobody has in all other places."""
    _, path = rule.build({name: store_id if name == "store_id" else _value(rule, name) for name in rule.arguments})
    return path.split("|")[-1]


def _value(rule, name):
    converter = rule._converters[name]
    return (
        "x"
        if "string" in type(converter).__name__.lower() or "unicode" in type(converter).__name__.lower()
        else NOBODYS
    )


async def request(client, page, path, fields=None):
    if page.method == "POST":
        return await client.post(path, form=fields or {})
    return await client.get(path)


@pytest.fixture(scope="module")
async def store_of_world(world):
    """Create a store of the world's owner and return its id."""
    return await world.owner.store()


def test_pages_are_in_the_dashboard():
    assert [rule.rule for rule, _ in list_pages() if not rule.rule.startswith(PREFIX)] == []


async def test_nobody_sees_a_page_without_signing_in(client, store_of_world):
    with sweep(at_least=200) as checks:
        for rule, page in list_pages():
            with checks.check(called(page)):
                response = await request(client, page, fill(rule, store_of_world))

                assert response.status_code == 303
                assert response.headers["Location"].startswith("/sign-in")


async def test_a_suspended_owner_is_signed_out_of_every_page(app, owner, store):
    person = await sign_in(app, owner.id)
    await administration.suspend_owner(owner.id, "Unpaid")

    with sweep(at_least=200) as checks:
        for rule, page in list_pages():
            with checks.check(called(page)):
                response = await request(person.client, page, fill(rule, store.id), {CSRF_FIELD: person.csrf_token})
                assert (response.status_code, response.headers["Location"][:8]) == (303, "/sign-in")


async def test_a_form_of_another_site_is_refused(app, world, tally, store_of_world):
    person = await sign_in(app, world.owner.id)
    with sweep(at_least=100) as checks:
        for rule, page in list_pages():
            if page.method != "POST":
                continue
            with checks.check(called(page)):
                path = fill(rule, store_of_world)
                await tally.take()

                without_token = await person.client.post(path, form={})
                with_wrong_token = await person.client.post(path, form={CSRF_FIELD: "0" * 64})
                from_elsewhere = await person.client.post(
                    path, form={CSRF_FIELD: person.csrf_token}, headers={"Sec-Fetch-Site": "cross-site"}
                )

                refused = (without_token, with_wrong_token, from_elsewhere)
                assert [each.status_code for each in refused] == [403, 403, 403]
                assert await tally.take() == {}


async def test_a_store_of_another_owner_looks_missing(app, world, tally, store_of_world):
    person = await sign_in(app, world.other_owner.id)
    with sweep(at_least=100) as checks:
        for rule, page in list_pages():
            if "store_id" not in rule.arguments:
                continue
            with checks.check(called(page)):
                await tally.take()
                for store_id in (store_of_world, NOBODYS):
                    fields = {CSRF_FIELD: person.csrf_token}
                    response = await request(person.client, page, fill(rule, store_id), fields)
                    assert response.status_code == 404, store_id
                assert await tally.take() == {}


async def test_a_page_needs_its_scope(app, world, tally, store_of_world):
    of_owners, lacking = get_registry().list_scopes("owner"), {}
    with sweep(at_least=100) as checks:
        for rule, page in list_pages():
            if page.scope is None:
                continue
            with checks.check(called(page)):
                if page.scope not in lacking:
                    others = [scope for scope in of_owners if not is_granted([scope], page.scope)]
                    lacking[page.scope] = await sign_in(app, world.owner.id, scopes=others)
                person = lacking[page.scope]
                await tally.take()

                fields = {CSRF_FIELD: person.csrf_token}
                response = await request(person.client, page, fill(rule, store_of_world), fields)

                assert response.status_code == (404 if page.audience is Audience.ADMINISTRATOR else 403)
                assert await tally.take() == {}


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_pages_are_private_and_in_no_frame(app, method):
    person = store_id = None
    with sweep(at_least=100) as checks:
        for rule, page in list_pages():
            if page.method != method:
                continue
            with checks.check(called(page)):
                # A form may succeed, such as the one that signs out or the one that closes the account.
                if person is None or method == "POST":
                    owner = await create_test_owner()
                    person, store_id = await sign_in(app, owner.id), await owner.store()

                fields = {CSRF_FIELD: person.csrf_token}
                response = await request(person.client, page, fill(rule, store_id), fields)

                assert response.status_code < 500
                assert "no-store" in response.headers["Cache-Control"]
                assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
