"""Every page and form of the dashboard, as the router has them: sessions, forms of other sites, stores, scopes."""

import pytest
from comanda.accounts import administration
from comanda.contracts.dashboard import PREFIX, Audience
from comanda.contracts.scopes import is_granted
from comanda.devkit.testing.dashboard import sign_in
from comanda.web.sign_in import CSRF_FIELD
from installed_plugins import get_registry
from quart import Quart

REGISTRY = get_registry()
NOBODYS = 987_654_321_000


def list_pages():
    """List the address and the rule of each page, as the application would mount it."""
    app = Quart("pages", static_folder=None)
    for pages in REGISTRY.pages:
        app.register_blueprint(pages.blueprint)
    found = []
    for rule in app.url_map.iter_rules():
        declared = getattr(app.view_functions[rule.endpoint], "dashboard_rule", None)
        if declared is not None:
            found.append((rule, declared))
    return found


PAGES = list_pages()
FORMS = [(rule, page) for rule, page in PAGES if page.method == "POST"]
OF_STORES = [(rule, page) for rule, page in PAGES if "store_id" in rule.arguments]
WITH_SCOPE = [(rule, page) for rule, page in PAGES if page.scope is not None]


def named(value):
    return f"{value.method} {value.path}" if hasattr(value, "scope") else ""


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


def test_there_is_something_to_test():
    assert len(PAGES) >= 5
    assert all(rule.rule.startswith(PREFIX) for rule, _ in PAGES)


@pytest.mark.parametrize(("rule", "page"), PAGES, ids=named)
async def test_nobody_sees_a_page_without_signing_in(client, store, rule, page):
    response = await request(client, page, fill(rule, store.id))

    assert response.status_code == 303
    assert response.headers["Location"].startswith("/sign-in")


async def test_a_suspended_owner_is_signed_out_of_every_page(app, owner, store):
    person = await sign_in(app, owner.id)
    await administration.suspend_owner(owner.id, "Unpaid")

    for rule, page in PAGES:
        response = await request(person.client, page, fill(rule, store.id), {CSRF_FIELD: person.csrf_token})
        assert (response.status_code, response.headers["Location"][:8]) == (303, "/sign-in"), page


@pytest.mark.parametrize(("rule", "page"), FORMS, ids=named)
async def test_a_form_of_another_site_is_refused(app, owner, store, rule, page):
    person = await sign_in(app, owner.id)
    path = fill(rule, store.id)

    without_token = await person.client.post(path, form={})
    with_wrong_token = await person.client.post(path, form={CSRF_FIELD: "0" * 64})
    from_elsewhere = await person.client.post(
        path, form={CSRF_FIELD: person.csrf_token}, headers={"Sec-Fetch-Site": "cross-site"}
    )

    assert [each.status_code for each in (without_token, with_wrong_token, from_elsewhere)] == [403, 403, 403]


@pytest.mark.parametrize(("rule", "page"), OF_STORES, ids=named)
async def test_a_store_of_another_owner_looks_missing(app, owner, other_owner, store, rule, page):
    person = await sign_in(app, other_owner.id)

    for store_id in (store.id, NOBODYS):
        response = await request(person.client, page, fill(rule, store_id), {CSRF_FIELD: person.csrf_token})
        assert response.status_code == 404, store_id


@pytest.mark.parametrize(("rule", "page"), WITH_SCOPE, ids=named)
async def test_a_page_needs_its_scope(app, owner, store, rule, page):
    others = [scope for scope in REGISTRY.list_scopes("owner") if not is_granted([scope], page.scope)]
    person = await sign_in(app, owner.id, scopes=others)

    response = await request(person.client, page, fill(rule, store.id), {CSRF_FIELD: person.csrf_token})

    assert response.status_code == (404 if page.audience is Audience.ADMINISTRATOR else 403)


@pytest.mark.parametrize(("rule", "page"), PAGES, ids=named)
async def test_pages_are_private_and_in_no_frame(app, owner, store, rule, page):
    person = await sign_in(app, owner.id)

    response = await request(person.client, page, fill(rule, store.id), {CSRF_FIELD: person.csrf_token})

    assert response.status_code < 500
    assert "no-store" in response.headers["Cache-Control"]
    assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
