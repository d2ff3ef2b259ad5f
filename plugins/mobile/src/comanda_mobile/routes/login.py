"""Login and logout of the person who uses the app."""

from typing import Final

from comanda.contracts import ANY_SCOPE, PUBLIC, Answer, Call, Caller, Routes
from comanda.platform.encryption import hmac_digest

from comanda_mobile.records import AppIdentity
from comanda_mobile.schemas import AppLoggedIn, AppLoggedOut, AppLoginBody
from comanda_mobile.services import login, people

routes = Routes("Mobile app", callers=people.PEOPLE)

# Per client address and e-mail, and per client address alone.
MAX_ATTEMPTS_PER_MINUTE: Final = 10
MAX_ATTEMPTS_PER_ADDRESS_AND_MINUTE: Final = 60
NO_STORE: Final = {"Cache-Control": "no-store"}


@routes.post("/app/auth/login", callers=PUBLIC, status=200, answers=AppLoggedIn)
async def log_in(call: Call, body: AppLoginBody) -> Answer:
    """Log in by e-mail and password as an owner or as staff, with ``otp`` or ``recovery_code`` if two-factor is on."""
    identity = (await hmac_digest.hmac_digest("mobile.bucket", body.email)).hex()
    await call.count(f"mobile_auth:{call.client_network}", MAX_ATTEMPTS_PER_ADDRESS_AND_MINUTE)
    await call.count(f"mobile_auth:{call.client_network}:{identity}", MAX_ATTEMPTS_PER_MINUTE)
    return Answer(await login.log_in(body, call.client_network), headers=dict(NO_STORE))


@routes.post("/app/auth/logout", scope=ANY_SCOPE, status=200, answers=AppLoggedOut)
async def log_out(caller: Caller) -> AppLoggedOut:
    """Log out: revoke the token that was used, and end the web sessions that it opened."""
    await login.log_out(caller)
    return AppLoggedOut(message="You are logged out.")


@routes.get("/app/me", scope=ANY_SCOPE)
async def get_me(caller: Caller) -> AppIdentity:
    """Return the person who is logged in and their stores."""
    return await people.get_identity(caller)
