"""Session tokens: claims, signature, and who gets one."""

import pytest
from joserfc import jwt
from joserfc.errors import BadSignatureError
from joserfc.jwk import OctKey


@pytest.fixture
async def installed(developer, install):
    return await install(await developer.publish())


def get(client, app_id, headers):
    return client.get(f"/apps/{app_id}/session-token", headers=headers)


async def test_token_is_a_jwt_signed_with_the_client_secret(installed, client, owner, clock):
    answer = await (await get(client, installed.app["id"], installed.auth)).get_json()

    assert answer["expires_in"] == 60
    token = jwt.decode(answer["token"], OctKey.import_key(installed.app["client_secret"]), algorithms=["HS256"])
    moment = int(clock().timestamp())
    jti = token.claims.pop("jti")
    assert token.header == {"alg": "HS256", "typ": "JWT"}
    assert token.claims == {
        "iss": "http://comanda.test", "dest": "http://comanda.test", "aud": installed.app["client_id"],
        "sub": str(owner.id), "sid": str(installed.id), "iat": moment, "nbf": moment, "exp": moment + 60,
    }  # fmt: skip
    second = await (await get(client, installed.app["id"], installed.auth)).get_json()
    claims = jwt.decode(second["token"], OctKey.import_key(installed.app["client_secret"])).claims
    assert claims["jti"] != jti
    with pytest.raises(BadSignatureError):
        jwt.decode(answer["token"], OctKey.import_key("another secret of an app, long enough"))


async def test_other_app_is_not_found(installed, developer, client):
    other = await developer.publish()

    assert (await get(client, other["id"], installed.auth)).status_code == 404
    assert (await get(client, 2**52, installed.auth)).status_code == 404
    assert (await get(client, "x", installed.auth)).status_code == 404


async def test_only_an_app_gets_one(installed, client, owner, customer):
    assert (await get(client, installed.app["id"], owner.auth)).status_code == 401
    assert (await get(client, installed.app["id"], {})).status_code == 401
    await customer.send("DELETE", f"/app-installations/{installed.id}")
    assert (await get(client, installed.app["id"], installed.auth)).status_code == 401
