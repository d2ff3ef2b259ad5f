"""A provider of OpenID Connect on loopback: discovery, authorization, tokens with real signatures, and keys."""

import secrets
from contextlib import asynccontextmanager
from time import time
from urllib.parse import parse_qs, urlencode, urlsplit

from aiohttp import web
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT_ID, CLIENT_SECRET = "comanda", "a secret: with/signs"


class OpenIdProvider:
    """Signs in the person in ``person``. ``changes`` replace claims of the ID token; None removes one."""

    def __init__(self):
        self.port = 0
        self.person = {"sub": "7001", "email": "nobody@shops.example", "email_verified": True}
        self.changes = {}
        self.status = 200
        self.metadata = {}
        self.token = None
        self.codes = {}
        self.requests = []
        self.rotate_key()

    @property
    def issuer(self):
        return f"http://127.0.0.1:{self.port}"

    def rotate_key(self):
        self.key = RSAKey.generate_key(2048, {"kid": secrets.token_hex(4), "use": "sig"}, auto_kid=False)

    def authorize(self, location):
        """Return the query of the redirect back, as after the person has signed in."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}
        assert asked["response_type"] == "code"
        assert asked["scope"] == "openid email profile"
        assert asked["client_id"] == CLIENT_ID
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        return {"code": code, "state": asked["state"], "iss": self.issuer}

    def sign(self, claims, *, header=None, key=None):
        used = {"alg": "RS256", "kid": self.key.kid, **(header or {})}
        return jwt.encode(used, claims, key or self.key, algorithms=[used["alg"]])

    def build_claims(self, asked):
        now = int(time())
        claims = {"iss": self.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 300, "nonce": asked["nonce"]}
        merged = {**claims, **self.person, **self.changes}
        return {name: value for name, value in merged.items() if value is not None}

    async def _discovery(self, request):
        self.requests.append("discovery")
        document = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            **self.metadata,
        }
        return web.json_response(document, status=self.status)

    async def _authorize(self, request):
        answer = self.authorize(str(request.url))
        raise web.HTTPFound(f"{self.codes[answer['code']]['redirect_uri']}?{urlencode(answer)}")

    async def _token(self, request):
        self.requests.append("token")
        form = await request.post()
        asked = self.codes.pop(form.get("code"), None)
        is_good = (
            asked is not None
            and form["redirect_uri"] == asked["redirect_uri"]
            and create_s256_code_challenge(form["code_verifier"]) == asked["code_challenge"]
            and request.headers.get("Authorization", "").startswith("Basic ")
        )
        if not is_good:
            return web.json_response({"error": "invalid_grant"}, status=400)
        token = self.token(self.build_claims(asked)) if self.token else self.sign(self.build_claims(asked))
        return web.json_response({"access_token": "x", "token_type": "Bearer", "id_token": token})

    async def _keys(self, request):
        self.requests.append("keys")
        return web.json_response({"keys": [self.key.as_dict(private=False)]})

    @asynccontextmanager
    async def serve(self):
        app = web.Application()
        app.router.add_get("/.well-known/openid-configuration", self._discovery)
        app.router.add_get("/authorize", self._authorize)
        app.router.add_post("/token", self._token)
        app.router.add_get("/keys", self._keys)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.port = site._server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            await runner.cleanup()
