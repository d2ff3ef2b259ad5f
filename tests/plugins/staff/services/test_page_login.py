"""Members of staff sign in on pages, and use the dashboard with what their permissions allow."""

import pyotp
import pytest
from comanda.accounts import owner_login, web_sessions
from comanda.accounts.owners import delegation
from comanda.basics import Forbidden
from comanda.platform.db import sql
from sign_in_browser import Browser, read_text

PASSWORD = "lemon tart at dawn"


@pytest.fixture(autouse=True)
async def fresh_network(app):
    await sql.execute("DELETE FROM core_login_try WHERE owner_id = 0")


@pytest.fixture
def browser(app):
    return Browser(app)


async def get_session(browser):
    return await web_sessions.find_session(browser.secret) if browser.secret else None


async def test_member_signs_in_with_their_permissions(browser, create_member, store):
    cashier = await create_member("cashier")

    response = await browser.sign_in(cashier.email, PASSWORD)

    assert (response.status_code, response.headers["Location"]) == (303, "/dashboard")
    session = await get_session(browser)
    assert (session.kind, session.store_id, session.subject_id) == ("staff", store.id, cashier.id)
    assert not session.is_administrator
    caller = delegation.to_dashboard_caller(session)
    assert (caller.kind, caller.acts_as, caller.store_id) == ("staff", "owner", store.id)
    assert caller.scopes == {"orders:write", "customers:read"}
    entry = await sql.one(
        "SELECT actor_kind, actor_id, store_id FROM core_audit_entry WHERE owner_id = $1 AND action = $2",
        store.owner.id,
        "account/sign_in",
    )
    assert tuple(entry) == ("staff", cashier.id, store.id)


@pytest.mark.parametrize(
    ("role", "scopes"),
    [
        ("manager", {"orders:write", "menu:write", "analytics:write", "customers:read"}),
        ("waiter", {"orders:read"}),
        ("kitchen", set()),
    ],
)
async def test_dashboard_allows_no_more_than_staff_routes(browser, create_member, role, scopes):
    member = await create_member(role)
    await browser.sign_in(member.email, PASSWORD)

    caller = delegation.to_dashboard_caller(await get_session(browser))

    assert caller.scopes == scopes
    for scope in ("*", "write", "read", "stores:write", "staff:write", "customers:write", "tokens:write"):
        assert not caller.may(scope)


async def test_member_sees_the_dashboard_of_their_store_alone(browser, create_member, store, open_store):
    other = await open_store("restaurant")
    manager = await create_member("manager")
    await browser.sign_in(manager.email, PASSWORD)

    mine, _ = await browser.get(f"/dashboard/stores/{store.id}/orders")
    foreign, _ = await browser.get(f"/dashboard/stores/{other.id}/orders")

    assert (mine.status_code, foreign.status_code) == (200, 404)


async def test_session_follows_permissions_and_ends_with_the_member(browser, create_member):
    member = await create_member("cashier")
    await browser.sign_in(member.email, PASSWORD)
    await member.update(denials=["coupons"])
    assert delegation.to_dashboard_caller(await get_session(browser)).scopes == {"orders:read", "customers:read"}

    await member.update(is_active=False)

    assert await get_session(browser) is None
    assert (await browser.sign_in(member.email, PASSWORD)).status_code == 401


async def test_wrong_password_looks_like_an_unknown_address(browser, create_member):
    member = await create_member()

    texts = [
        await read_text(await browser.sign_in(email, "wrong password"))
        for email in (member.email, "nobody@example.com", "\0", "x" * 300)
    ]

    assert ["Invalid e-mail or password." in text for text in texts] == [True] * 4
    assert browser.secret is None


async def test_member_with_two_factor_enters_a_code(browser, create_member, clock):
    member = await create_member()
    await member.log_in()
    setup = await member.send("POST", "/2fa/setup")
    await member.send("POST", "/2fa/confirm", {"code": pyotp.TOTP(setup["secret"]).at(clock())})
    clock.advance(seconds=60)
    response = await browser.sign_in(member.email, PASSWORD)
    assert response.headers["Location"] == "/sign-in/code"
    token = await browser.read_form_token("/sign-in/code")
    code = pyotp.TOTP(setup["secret"]).at(clock())

    wrong = await browser.post("/sign-in/code", {"csrf_token": token, "code": "000000"})
    right = await browser.post("/sign-in/code", {"csrf_token": token, "code": code})

    assert (wrong.status_code, right.status_code) == (422, 303)
    assert (await get_session(browser)).subject_id == member.id
    again = Browser(browser.client.app)
    await again.sign_in(member.email, PASSWORD)
    token = await again.read_form_token("/sign-in/code")
    assert (await again.post("/sign-in/code", {"csrf_token": token, "code": code})).status_code == 422


async def test_member_of_several_stores_chooses_one(browser, create_member, open_store, store):
    one = await create_member()
    other_store = await open_store("restaurant")
    two = await create_member(at=other_store, email=one.email)

    text = await read_text(await browser.sign_in(one.email, PASSWORD))
    assert f'<option value="{store.id}"' in text
    assert f'<option value="{other_store.id}"' in text
    assert PASSWORD not in text
    response = await browser.sign_in(one.email, PASSWORD, store_id=str(other_store.id))

    assert response.status_code == 303
    assert (await get_session(browser)).subject_id == two.id


async def test_members_password_does_not_open_the_owners_account(browser, create_member, owner):
    """A member may have the e-mail address of an owner; whose password it is decides who signs in."""
    await owner_login.set_owner_password(owner.id, "owner's battery staple")
    await create_member(email=owner.email)

    await browser.sign_in(owner.email, PASSWORD)
    assert (await get_session(browser)).kind == "staff"
    other = Browser(browser.client.app)
    await other.sign_in(owner.email, "owner's battery staple")
    assert (await get_session(other)).kind == "owner"


async def test_member_confirms_with_their_password(browser, create_member, clock):
    member = await create_member("manager")
    await browser.sign_in(member.email, PASSWORD)
    clock.advance(minutes=11)
    token = await browser.read_form_token("/sign-in/confirm")

    wrong = await browser.post("/sign-in/confirm", {"csrf_token": token, "password": "wrong"})
    assert not (await get_session(browser)).is_recent
    right = await browser.post("/sign-in/confirm", {"csrf_token": token, "password": PASSWORD})

    assert (wrong.status_code, right.status_code) == (401, 303)
    assert (await get_session(browser)).is_recent


async def test_people_of_other_kinds_do_not_use_the_dashboard(owner, store_id):
    _, session = await web_sessions.create_session(
        owner_id=owner.id, kind="driver", subject_id=1, store_id=store_id, scopes=["*"]
    )

    with pytest.raises(Forbidden):
        delegation.to_dashboard_caller(session)
