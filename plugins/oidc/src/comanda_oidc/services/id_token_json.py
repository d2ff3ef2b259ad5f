"""ID tokens: who a provider says has signed in, once its signature and its claims are verified."""

import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import structlog
from comanda.basics import LazyModule, Sentence, Unauthenticated, clock

from comanda_oidc.services.providers import load_keys
from comanda_oidc.settings import Provider

if TYPE_CHECKING:
    from joserfc import errors, jwk, jwt
else:
    # Only processes in which somebody signs in so need them.
    errors, jwk, jwt = (LazyModule(f"joserfc.{name}") for name in ("errors", "jwk", "jwt"))

log = structlog.get_logger(__name__)

# Signatures by keys that only the provider has: neither none, nor HMAC with a key that is public.
ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
LEEWAY_SECONDS: Final = 60
MAX_TOKEN_LENGTH: Final = 16_384
MAX_TEXT_LENGTH: Final = 255
# Microsoft Entra has no email_verified; this optional claim says that the domain of the address is the tenant's.
ENTRA_HOST: Final = "login.microsoftonline.com"
ENTRA_CLAIM: Final = "xms_edov"


@dataclass(frozen=True, slots=True)
class IdentityClaims:
    """A person at a provider. ``email`` is in lower case, and empty unless the provider has verified it."""

    issuer: str
    sub: str
    email: str


async def verify(provider: Provider, token: str, nonce: str) -> IdentityClaims:
    """Return who an ID token names. Raises ``Unauthenticated`` for one that is not good, and ``Unavailable``."""
    try:
        claims = await _decode(provider, token)
        _check(provider, claims, nonce)
        return _to_claims(provider, claims)
    except (errors.JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
        log.warning("oidc_token_refused", provider=provider.code, error=type(error).__name__, problem=str(error)[:200])
        raise create_refusal() from error


def create_refusal() -> Unauthenticated:
    """Return the error for an answer of a provider that cannot be trusted."""
    return Unauthenticated(
        Sentence("This sign-in could not be verified. Start again."), extras={"reason": "invalid_credentials"}
    )


async def _decode(provider: Provider, token: str) -> dict[str, Any]:
    if len(token) > MAX_TOKEN_LENGTH:
        raise ValueError("too long")
    try:
        return _verify_signature(token, await load_keys(provider))
    except (errors.JoseError, ValueError):
        # Providers change their keys.
        return _verify_signature(token, await load_keys(provider, is_renewed=True))


def _verify_signature(token: str, keys: Any) -> dict[str, Any]:
    usable = [key for key in keys["keys"] if key.get("kty") in {"RSA", "EC"} and key.get("use", "sig") == "sig"]
    key_set = jwk.KeySet.import_key_set({"keys": usable})
    return dict(jwt.decode(token, key_set, algorithms=list(ALGORITHMS)).claims)


def _check(provider: Provider, claims: dict[str, Any], nonce: str) -> None:
    registry = jwt.JWTClaimsRegistry(
        now=int(clock.now().timestamp()),
        leeway=LEEWAY_SECONDS,
        iss={"essential": True, "value": provider.issuer},
        aud={"essential": True, "value": provider.client_id},
        sub={"essential": True},
        exp={"essential": True},
        iat={"essential": True},
        nonce={"essential": True},
    )
    registry.validate(claims)
    if not hmac.compare_digest(str(claims["nonce"]).encode(), nonce.encode()):
        raise ValueError("nonce")
    audiences = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
    if (len(audiences) > 1 or "azp" in claims) and claims.get("azp") != provider.client_id:
        raise ValueError("azp")


def _to_claims(provider: Provider, claims: dict[str, Any]) -> IdentityClaims:
    sub, email = claims["sub"], claims.get("email")
    if not isinstance(sub, str) or not 0 < len(sub) <= MAX_TEXT_LENGTH or "\0" in sub:
        raise ValueError("sub")
    is_address = isinstance(email, str) and "@" in email and len(email) <= MAX_TEXT_LENGTH and "\0" not in email
    is_known = is_address and _is_verified(provider, claims)
    return IdentityClaims(provider.issuer, sub, str(email).strip().casefold() if is_known else "")


def _is_verified(provider: Provider, claims: dict[str, Any]) -> bool:
    if claims.get("email_verified") is True:
        return True
    is_entra = urlsplit(provider.issuer).hostname == ENTRA_HOST
    return is_entra and "email_verified" not in claims and str(claims.get(ENTRA_CLAIM)).lower() in {"1", "true"}
