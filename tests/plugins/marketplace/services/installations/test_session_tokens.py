"""Session tokens of embedded apps."""

import pytest
from comanda.basics import NotFound
from comanda_marketplace.models import App
from comanda_marketplace.services.installations import session_tokens
from joserfc import jwt
from joserfc.errors import BadSignatureError
from joserfc.jwk import OctKey


async def test_token_for_an_owner_names_the_installation(developer, install, owner, clock, runtime):
    app = await developer.publish()
    installed = await install(app)
    row = await App.get(id=app["id"], owner_id=developer.owner.id)

    token = await session_tokens.create_for_owner(owner.id, row)

    claims = jwt.decode(token, OctKey.import_key(app["client_secret"]), algorithms=["HS256"]).claims
    assert (claims["aud"], claims["sub"], claims["sid"]) == (row.client_id, str(owner.id), str(installed.id))
    assert claims["iss"] == claims["dest"] == runtime.settings.site_url
    assert claims["exp"] - claims["iat"] == session_tokens.LIFETIME_SECONDS
    with pytest.raises(BadSignatureError):
        jwt.decode(token, OctKey.import_key("secret_" + "0" * 40), algorithms=["HS256"])


async def test_owner_without_the_app_gets_no_token(developer, other_owner):
    app = await developer.publish()
    row = await App.get(id=app["id"], owner_id=developer.owner.id)

    with pytest.raises(NotFound):
        await session_tokens.create_for_owner(other_owner.id, row)
