"""Handing the session of an app over to its web view, and what may not work."""

import asyncio
from datetime import timedelta

import pytest
from comanda.accounts import administration, owner_login, services, web_sessions
from comanda.platform.db import sql
from comanda_mobile import tasks

SESSION = "comanda_session"
WEB_VIEW = "Comanda/1.4 Hotwire Native iOS; Turbo Native iOS"


async def count_sessions(owner):
    return await sql.fetch_value("SELECT count(*) FROM core_web_session WHERE owner_id = $1", owner.id)


async def count_handoffs(owner):
    return await sql.fetch_value("SELECT count(*) FROM mobile_handoff WHERE owner_id = $1", owner.id)


async def test_web_view_is_signed_in_and_led_to_the_path(owner, owner_phone, web_view):
    path = await owner_phone.create_handoff("/app/home?tab=1")

    response = await web_view.open(path)

    assert (response.status_code, response.headers["Location"]) == (303, "/app/home?tab=1")
    cookie = response.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Path=/" in cookie
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    page = await (await web_view.open("/app/home")).get_data(as_text=True)
    assert owner.email in page
    assert "Owner" in page


async def test_the_answer_names_an_address_of_this_site_for_a_minute(owner_phone):
    reply = await owner_phone.send("POST", "/api/v1/app/session", {}, **{"User-Agent": WEB_VIEW})

    assert reply["expires_in"] == 60
    assert reply["handoff_url"].startswith("http://comanda.test/api/v1/app/handoff/")
    assert reply.headers["cache-control"] == "no-store"


async def test_address_and_user_agent_are_stored_as_hashes_alone(owner, owner_phone):
    path = await owner_phone.create_handoff("/")

    row = dict(await sql.fetch_one("SELECT * FROM mobile_handoff WHERE owner_id = $1", owner.id))

    assert path.rpartition("/")[2] not in str(row)
    assert WEB_VIEW not in str(row)
    assert len(row["nonce_hash"]) == len(row["agent_hash"]) == 32
    assert len(path.rpartition("/")[2]) > 43


async def test_user_agent_of_the_request_counts_without_another(owner_phone, open_web_view):
    reply = await owner_phone.send("POST", "/api/v1/app/session", {}, **{"User-Agent": "One client for both"})
    path = reply["handoff_url"].removeprefix("http://comanda.test")

    assert (await open_web_view().open(path)).status_code == 404
    assert (await open_web_view("One client for both").open(path)).status_code == 303


async def test_address_works_once(owner, owner_phone, web_view, open_web_view):
    path = await owner_phone.create_handoff()
    assert (await web_view.open(path)).status_code == 303
    second = open_web_view()

    response = await second.open(path)

    assert response.status_code == 404
    assert (await response.get_json())["code"] == "not_found"
    assert "Set-Cookie" not in response.headers
    assert await count_sessions(owner) == 1
    assert not await second.is_signed_in()
    assert await web_view.is_signed_in()


async def test_one_of_several_concurrent_redemptions_wins(owner, owner_phone, open_web_view):
    for _ in range(5):
        before = await count_sessions(owner)
        path = await owner_phone.create_handoff()
        views = [open_web_view() for _ in range(6)]

        responses = await asyncio.gather(*(view.open(path) for view in views))

        assert sorted(each.status_code for each in responses) == [303, *[404] * 5]
        assert await count_sessions(owner) == before + 1


async def test_address_expires_after_a_minute(owner, owner_phone, web_view, clock):
    late, in_time = [await owner_phone.create_handoff() for _ in range(2)]
    clock.advance(seconds=59)
    assert (await web_view.open(in_time)).status_code == 303
    clock.advance(seconds=1)

    assert (await web_view.open(late)).status_code == 404
    assert await count_sessions(owner) == 1


async def test_other_user_agents_do_not_use_it_up_and_may_not_guess(owner, owner_phone, open_web_view):
    path = await owner_phone.create_handoff()
    assert (await open_web_view("curl/8.5").open(path)).status_code == 404
    assert await count_sessions(owner) == 0
    assert (await open_web_view().open(path)).status_code == 303

    path = await owner_phone.create_handoff()
    for number in range(5):
        assert (await open_web_view(f"guess {number}").open(path)).status_code == 404
    assert (await open_web_view().open(path)).status_code == 404
    assert await count_sessions(owner) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Purpose": "prefetch;prerender"},
        {"Purpose": "prefetch"},
        {"X-Moz": "prefetch"},
        {"X-Purpose": "preview"},
        None,
    ],
)
async def test_prefetch_and_head_do_not_use_it_up(owner, owner_phone, web_view, headers):
    path = await owner_phone.create_handoff()

    for asked in (path, "/api/v1/app/handoff/unknown"):
        response = await web_view.open(asked, "HEAD" if headers is None else "GET", **(headers or {}))
        assert response.status_code == 204
        assert "Set-Cookie" not in response.headers
        assert "Location" not in response.headers
    assert await count_sessions(owner) == 0
    assert (await web_view.open(path)).status_code == 303


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Dest": "document"},
        {"Sec-Fetch-Site": "none", "Sec-Fetch-Dest": "image"},
        {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "iframe"},
    ],
)
async def test_other_sites_cannot_sign_a_person_in(owner, owner_phone, web_view, headers):
    path = await owner_phone.create_handoff()

    assert (await web_view.open(path, **headers)).status_code == 404
    assert await count_sessions(owner) == 0
    assert (await web_view.open(path, **{"Sec-Fetch-Site": "none", "Sec-Fetch-Dest": "document"})).status_code == 303


TRICKS = [
    "https://evil.example/",
    "http:evil.example",
    "//evil.example/",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\nLocation: https://evil.example",
    "\x00//evil.example",
    " //evil.example",
    "/ /evil.example",
    "/a//evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "evil.example",
    "@evil.example",
    "app/home",
    "",
    "?next=/",
    "#/",
    "/caf\u00e9",
    "/\u2215evil.example",
    "\uff0f\uff0fevil.example",
    "/" + "a" * 2000,
    "/api/v1/app/handoff/abc",
]


async def test_paths_outside_the_site_are_refused(owner, owner_phone, subtests):
    for path in TRICKS:
        with subtests.test(path=path):
            reply = await owner_phone.send("POST", "/api/v1/app/session", {"path": path, "user_agent": WEB_VIEW})

            assert reply.errors == {"path": ["Must be a path of this site, such as /app/home."]}
            assert await count_handoffs(owner) == 0


@pytest.mark.parametrize("path", [7, True, ["/"], {"a": 1}])
async def test_path_of_another_type_is_refused(owner, owner_phone, path):
    reply = await owner_phone.send("POST", "/api/v1/app/session", {"path": path})

    assert list(reply.errors) == ["path"]
    assert await count_handoffs(owner) == 0


async def test_address_has_no_say_in_the_path(owner_phone, web_view):
    path = await owner_phone.create_handoff("/kitchen/")

    response = await web_view.open(f"{path}?path=//evil.example&next=https://evil.example")

    assert response.headers["Location"] == "/kitchen/"


@pytest.mark.parametrize("path", ["/", "/kitchen/?store=a", "/s/tasca", "/apps/7/embed", "/docs/guide/"])
async def test_pages_of_this_site_are_accepted(owner_phone, web_view, path):
    response = await web_view.open(await owner_phone.create_handoff(path))

    assert response.headers["Location"] == path


async def test_session_of_the_browser_is_replaced_and_ended(owner, other_owner, owner_phone, web_view):
    planted, _ = await web_sessions.create_session(owner_id=other_owner.id)
    web_view.client.set_cookie("localhost", SESSION, planted)

    await web_view.open(await owner_phone.create_handoff())

    assert web_view.cookies[SESSION] != planted
    assert await web_sessions.find_session(planted) is None
    session = await web_sessions.find_session(web_view.cookies[SESSION])
    assert session.owner_id == owner.id


async def test_secret_that_an_attacker_chose_is_never_used(owner, owner_phone, web_view):
    web_view.client.set_cookie("localhost", SESSION, "ses_1chosenbytheattacker")

    await web_view.open(await owner_phone.create_handoff())

    assert web_view.cookies[SESSION] != "ses_1chosenbytheattacker"
    assert await web_view.is_signed_in()


async def test_failed_redemption_leaves_the_session_of_the_browser(owner_phone, web_view):
    await web_view.open(await owner_phone.create_handoff())
    before = web_view.cookies[SESSION]

    assert (await web_view.open("/api/v1/app/handoff/unknown")).status_code == 404

    assert web_view.cookies[SESSION] == before
    assert await web_view.is_signed_in()


async def test_logout_ends_the_sessions_that_the_token_opened_alone(owner_with_password, pick_up_phone, open_web_view):
    phones, views = [pick_up_phone() for _ in range(2)], [open_web_view() for _ in range(2)]
    for phone, view in zip(phones, views, strict=True):
        await phone.log_in(owner_with_password.email)
        await view.open(await phone.create_handoff())
    pending = await phones[0].create_handoff()

    assert (await phones[0].send("POST", "/api/v1/app/auth/logout")).status == 200

    assert [await view.is_signed_in() for view in views] == [False, True]
    assert (await open_web_view().open(pending)).status_code == 404


async def test_new_password_ends_everything(owner, owner_phone, web_view):
    await web_view.open(await owner_phone.create_handoff())
    pending = await owner_phone.create_handoff()

    await owner_login.set_owner_password(owner.id, "another lemon tart")

    assert not await web_view.is_signed_in()
    assert (await web_view.open(pending)).status_code == 404
    assert (await owner_phone.send("GET", "/api/v1/app/me")).status == 401


async def test_suspended_owner_gets_no_session(owner, owner_phone, web_view, open_web_view):
    await web_view.open(await owner_phone.create_handoff())
    pending = await owner_phone.create_handoff()

    await administration.set_suspended(owner.email, is_suspended=True)

    refused = await owner_phone.send("POST", "/api/v1/app/session", {})
    assert (refused.status, refused["reason"]) == (403, "account_suspended")
    assert (await open_web_view().open(pending)).status_code == 404
    assert not await web_view.is_signed_in()


async def test_deactivated_staff_get_no_session(owner, store, waiter, waiter_phone, web_view, open_web_view):
    await web_view.open(await waiter_phone.create_handoff())
    assert await web_view.is_signed_in()
    pending = await waiter_phone.create_handoff()

    await store.send("PUT", f"/staff/{waiter['id']}", {"is_active": False})

    assert not await web_view.is_signed_in()
    assert (await open_web_view().open(pending)).status_code == 404
    assert (await waiter_phone.send("POST", "/api/v1/app/session", {})).status == 401
    assert await count_sessions(owner) == 0


async def test_session_of_staff_is_theirs_and_has_their_permissions_of_now(store, waiter, waiter_phone, web_view):
    await web_view.open(await waiter_phone.create_handoff())
    page = await (await web_view.open("/app/home")).get_data(as_text=True)
    assert waiter["email"] in page
    assert "Waiter" in page

    await store.send("PUT", f"/staff/{waiter['id']}", {"role": "kitchen"})

    session = await web_sessions.find_session(web_view.cookies[SESSION])
    assert (session.kind, session.store_id, session.subject_id) == ("staff", store.id, waiter["id"])
    assert session.scopes == {"kds"}


async def test_session_does_not_outlive_its_token(waiter_phone, web_view, clock):
    await web_view.open(await waiter_phone.create_handoff())

    clock.advance(days=13)
    assert await web_view.is_signed_in()
    clock.advance(days=13)
    assert await web_view.is_signed_in()
    clock.advance(days=5)
    assert not await web_view.is_signed_in()


async def test_limited_token_cannot_become_the_owner_on_pages(owner, phone):
    headers = await owner.token_with("menu:write", "orders:read")

    reply = await phone.send("POST", "/api/v1/app/session", {}, **headers)

    assert (reply.status, reply["code"], reply["required"]) == (403, "forbidden", "*")
    assert await count_handoffs(owner) == 0


async def test_cookie_of_a_session_is_no_token(owner_phone, web_view):
    await web_view.open(await owner_phone.create_handoff())

    for method, path in (("GET", "/api/v1/app/me"), ("POST", "/api/v1/app/session"), ("GET", "/api/v1/me")):
        assert (await web_view.open(path, method)).status_code == 401


async def test_redemptions_are_limited_by_address(pick_up_phone):
    phone = pick_up_phone()

    statuses = {(await phone.send("GET", f"/api/v1/app/handoff/{number}")).status for number in range(60)}

    assert statuses == {404}
    assert (await phone.send("GET", "/api/v1/app/handoff/61")).status == 429


async def test_expired_addresses_are_deleted(owner, owner_phone, clock):
    await owner_phone.create_handoff()
    clock.advance(seconds=30)
    await owner_phone.create_handoff()
    clock.advance(seconds=30)

    await tasks.prune()

    assert await count_handoffs(owner) == 1


async def test_token_that_ends_takes_its_addresses_along(owner, clock, phone, open_web_view):
    kind = owner_login.runtime.registry().caller_kinds["owner"]
    ends = clock() + timedelta(seconds=30)
    issued = await services.issue_owner_token(kind, owner.id, ["*"], name="short", expires_at=ends)
    phone.token = issued.secret
    path = await phone.create_handoff()

    clock.advance(seconds=31)

    assert (await open_web_view().open(path)).status_code == 404
