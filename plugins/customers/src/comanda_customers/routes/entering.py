"""Registering and logging in: what anybody may call."""

from typing import Any, Final

from comanda.contracts.calls import Call
from comanda.contracts.routes import PUBLIC, Routes

from comanda_customers.schemas.accounts import (
    CodeBody,
    CodeRequest,
    CodeSent,
    LoggedIn,
    LoginBody,
    RegisterBody,
    Verified,
)
from comanda_customers.services import entering, registering, shops

routes = Routes("Customer", callers=PUBLIC)

# Each for a store and a client's address.
AUTH_PER_MINUTE: Final = 10
CODES_PER_MINUTE: Final = 6


@routes.post("/restaurants/{id}/customer/register", cors=True, answers=LoggedIn)
async def register(call: Call, id: int, body: RegisterBody) -> dict[str, Any]:
    """Make an account and get a token; an e-mail or phone that is known takes a ``code`` that proves it."""
    await call.count(f"customer_auth:{id}:{call.client_network}", AUTH_PER_MINUTE)
    return await registering.register(await shops.open_to_all(id), body, source=call.client_network)


@routes.post("/restaurants/{id}/customer/login", cors=True, status=200, answers=LoggedIn)
async def login(call: Call, id: int, body: LoginBody) -> dict[str, Any]:
    """Log in by e-mail and password; each device gets a token of its own."""
    await call.count(f"customer_auth:{id}:{call.client_network}", AUTH_PER_MINUTE)
    return await entering.login(await shops.open_to_all(id), body)


@routes.post(
    "/restaurants/{id}/customer/otp/request",
    cors=True,
    status=200,
    answers=CodeSent,
    headers=(("Accept-Language", "Which languages the message may be in; that of the store's country without it."),),
)
async def request_code(call: Call, id: int, body: CodeRequest) -> dict[str, Any]:
    """Have a code sent to a phone, or to an e-mail; the answer is the same whether or not it is known."""
    await call.count(f"customer_code:{id}:{call.client_network}", CODES_PER_MINUTE)
    language = call.headers.get("accept-language")
    return await entering.request_code(await shops.open_to_all(id), body, language, source=call.client_network)


@routes.post("/restaurants/{id}/customer/otp/verify", cors=True, status=200, answers=Verified)
async def verify_code(call: Call, id: int, body: CodeBody) -> dict[str, Any]:
    """Log in with a code; whoever is new to the store becomes a customer."""
    await call.count(f"customer_verify:{id}:{call.client_network}", AUTH_PER_MINUTE)
    return await entering.verify_code(await shops.open_to_all(id), body, source=call.client_network)
