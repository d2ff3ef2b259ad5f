"""The page of an embedded app: who sees it, what it may load, and the tokens that its script fetches."""

import pytest
from comanda.accounts import web_sessions
from joserfc import jwt
from joserfc.jwk import OctKey

EMBED = "https://app.example.com:8443/start?shop=1"


@pytest.fixture
def sign_in(client):
    """Sign an owner in on pages; return the session and its cookie."""

    async def run(owner, **options):
        secret, session = await web_sessions.create_session(owner_id=owner.id, **options)
        return session, {"Cookie": f"comanda_session={secret}"}

    return run


@pytest.fixture
async def installed(developer, install):
    return await install(await developer.publish(embed_url=EMBED))


async def test_page_frames_the_origin_of_the_app_alone(installed, client, owner, sign_in):
    session, cookie = await sign_in(owner)

    response = await client.get(f"/apps/{installed.app['id']}/embed", headers=cookie)

    page = await response.get_data(as_text=True)
    assert response.status_code == 200
    policy = response.headers["Content-Security-Policy"]
    assert "frame-src https://app.example.com:8443;" in policy
    assert "frame-ancestors 'none'" in policy
    assert response.headers["Cache-Control"] == "no-store"
    assert 'sandbox="allow-scripts allow-forms allow-same-origin allow-popups"' in page
    assert f'src="{EMBED}"' in page
    assert installed.token not in page
    assert session.csrf_token in page


async def test_nobody_signed_in_is_sent_to_the_sign_in_page(installed, client):
    path = f"/apps/{installed.app['id']}/embed"

    response = await client.get(path)

    assert (response.status_code, response.headers["Location"]) == (303, f"/sign-in?next={path}")


async def test_app_that_is_not_installed_is_not_found(
    installed, client, other_owner, sign_in, developer, install, owner
):
    _, cookie = await sign_in(other_owner)
    assert (await client.get(f"/apps/{installed.app['id']}/embed", headers=cookie)).status_code == 404
    _, cookie = await sign_in(owner)
    plain = await install(await developer.publish())
    assert (await client.get(f"/apps/{plain.app['id']}/embed", headers=cookie)).status_code == 404
    assert (await client.get(f"/apps/{2**52}/embed", headers=cookie)).status_code == 404


async def test_uninstalled_app_is_not_found(installed, client, owner, sign_in, customer):
    _, cookie = await sign_in(owner)
    await customer.send("DELETE", f"/app-installations/{installed.id}")

    assert (await client.get(f"/apps/{installed.app['id']}/embed", headers=cookie)).status_code == 404


async def test_person_without_the_scope_is_refused(installed, client, owner, sign_in):
    _, cookie = await sign_in(owner, scopes=("orders:read",))

    assert (await client.get(f"/apps/{installed.app['id']}/embed", headers=cookie)).status_code == 403


async def test_script_gets_a_session_token_for_the_installation(installed, client, owner, sign_in):
    session, cookie = await sign_in(owner)
    path = f"/apps/{installed.app['id']}/embed/session-token"

    response = await client.post(path, headers=cookie, form={"csrf_token": session.csrf_token})

    answer = await response.get_json()
    assert answer["expires_in"] == 60
    claims = jwt.decode(answer["token"], OctKey.import_key(installed.app["client_secret"])).claims
    assert (claims["sub"], claims["sid"]) == (str(owner.id), str(installed.id))


async def test_foreign_form_gets_no_session_token(installed, client, owner, other_owner, sign_in):
    session, cookie = await sign_in(owner)
    path = f"/apps/{installed.app['id']}/embed/session-token"

    assert (await client.post(path, headers=cookie, form={"csrf_token": "guessed"})).status_code == 403
    cross = {**cookie, "Sec-Fetch-Site": "cross-site"}
    assert (await client.post(path, headers=cross, form={"csrf_token": session.csrf_token})).status_code == 403
    other_session, other_cookie = await sign_in(other_owner)
    form = {"csrf_token": other_session.csrf_token}
    assert (await client.post(path, headers=other_cookie, form=form)).status_code == 404


async def test_app_cannot_be_embedded_from_this_host(developer):
    reply = await developer.send(
        "POST", "/developer/apps",
        {"name": "Own", "redirect_uris": ["https://a.example.com/c"], "embed_url": "http://comanda.test/x"},
    )  # fmt: skip

    assert list(reply.errors) == ["embed_url"]


@pytest.mark.parametrize("app_id", [0, 2**53, 2**63, 10**20])
async def test_number_beyond_all_apps_is_not_found(client, owner, sign_in, app_id):
    session, cookie = await sign_in(owner)
    form = {"csrf_token": session.csrf_token}

    assert (await client.get(f"/apps/{app_id}/embed", headers=cookie)).status_code == 404
    made = await client.post(f"/apps/{app_id}/embed/session-token", headers=cookie, form=form)
    assert made.status_code == 404
