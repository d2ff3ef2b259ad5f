"""Flows: from the button here to the provider and back, bound to one browser and good once."""

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Final

import orjson
from authlib.common.urls import add_params_to_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from comanda.accounts import LockoutRules, login_attempts, one_time_tokens
from comanda.basics import Forbidden, Sentence
from comanda.platform import runtime
from comanda.platform.encryption import hmac_digest

from comanda_oidc.services import id_token_json, providers
from comanda_oidc.services.id_token_json import IdentityClaims
from comanda_oidc.settings import Provider

PURPOSE: Final = "oidc_flow"
LIFETIME: Final = timedelta(minutes=10)
SCOPES: Final = "openid email profile"
MAX_CODE_LENGTH: Final = 4096
# As of guesses of passwords from one network.
FLOWS_PER_NETWORK: Final = LockoutRules(failures=100, window=timedelta(minutes=15))
NO_OWNER: Final = one_time_tokens.NO_OWNER


@dataclass(frozen=True, slots=True)
class Flow:
    """What was known when a person left for the provider. ``session_id`` is theirs if they link their account."""

    provider: str
    state: str
    nonce: str
    verifier: str
    next_path: str | None
    leaves_site: bool
    session_id: int | None


@dataclass(frozen=True, slots=True)
class StartedFlow:
    """The address at the provider, and the secret for the cookie of the browser."""

    location: str
    secret: str


async def start(
    provider: Provider, network: str, next_path: str | None, *, leaves_site: bool = False, session_id: int | None = None
) -> StartedFlow:
    """Start a flow. Raises ``RateLimited`` and ``Unavailable``."""
    key = await hmac_digest.hmac_digest("oidc.network", network)
    await login_attempts.count_attempt(NO_OWNER, key, FLOWS_PER_NETWORK)
    metadata = await providers.load_metadata(provider)
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    flow = Flow(provider.code, state, nonce, verifier, next_path, leaves_site, session_id)
    secret = await one_time_tokens.create_token(NO_OWNER, PURPOSE, LIFETIME, orjson.dumps(asdict(flow)).decode())
    parameters = {
        "response_type": "code",
        "client_id": provider.client_id,
        "redirect_uri": get_redirect_uri(provider),
        "scope": SCOPES,
        "state": flow.state,
        "nonce": flow.nonce,
        "code_challenge": create_s256_code_challenge(flow.verifier),
        "code_challenge_method": "S256",
    }
    return StartedFlow(add_params_to_uri(metadata.authorization_endpoint, list(parameters.items())), secret)


async def use_flow(provider: Provider, secret: str, state: str) -> Flow:
    """Use up the flow of a browser's cookie. Raises ``Forbidden`` for another browser's, or one that is over."""
    used = await one_time_tokens.use_token(secret, PURPOSE)
    flow = None if used is None else Flow(**orjson.loads(used.content))
    given = state.encode("utf-8", "surrogatepass")
    if flow is None or flow.provider != provider.code or not hmac.compare_digest(given, flow.state.encode()):
        raise Forbidden(Sentence("This sign-in has expired, or was started in another browser. Start again."))
    return flow


async def identify(provider: Provider, flow: Flow, answer: Mapping[str, str]) -> IdentityClaims:
    """Return who has signed in at the provider. Raises ``Unauthenticated`` and ``Unavailable``."""
    code = answer.get("code", "")
    # RFC 9207: an answer of another provider must not be taken for one of this.
    if not 0 < len(code) <= MAX_CODE_LENGTH or answer.get("iss", provider.issuer) != provider.issuer:
        raise id_token_json.create_refusal()
    token = await providers.exchange_code(provider, code, flow.verifier, get_redirect_uri(provider))
    return await id_token_json.verify(provider, token, flow.nonce)


def get_start_path(provider: Provider) -> str:
    """Return the path of the button."""
    return f"/sign-in/oidc/{provider.code}"


def get_redirect_uri(provider: Provider) -> str:
    """Return the address that a provider leads back to, as it is entered there."""
    return f"{runtime.settings().site_url}{get_start_path(provider)}/callback"
