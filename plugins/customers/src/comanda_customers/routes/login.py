"""Registration and login of customers, without a token."""

from typing import Final

from comanda.contracts import PUBLIC, Call, Routes

from comanda_customers.records.customers import CustomerSession
from comanda_customers.schemas.accounts import CodeBody, CodeRequest, CodeSent, LoggedIn, LoginBody, RegisterBody
from comanda_customers.services import stores
from comanda_customers.services.sign_in import login as login_service
from comanda_customers.services.sign_in import registration

routes = Routes("Customer", callers=PUBLIC)

# Per store and client address.
MAX_LOGINS_PER_MINUTE: Final = 10
MAX_CODES_PER_MINUTE: Final = 6


@routes.post("/restaurants/{id}/customer/register", cors=True, answers=LoggedIn)
async def register(call: Call, id: int, body: RegisterBody) -> CustomerSession:
    """Create an account and get a token; an e-mail or phone that is already registered requires a ``code``."""
    await call.count(f"customer_auth:{id}:{call.client_network}", MAX_LOGINS_PER_MINUTE)
    return await registration.register_customer(await stores.get_published_store(id), body, source=call.client_network)


@routes.post("/restaurants/{id}/customer/login", cors=True, status=200, answers=LoggedIn)
async def log_in(call: Call, id: int, body: LoginBody) -> CustomerSession:
    """Log in by e-mail and password; each device gets a token of its own."""
    await call.count(f"customer_auth:{id}:{call.client_network}", MAX_LOGINS_PER_MINUTE)
    return await login_service.log_in_by_password(await stores.get_published_store(id), body)


@routes.post(
    "/restaurants/{id}/customer/otp/request",
    cors=True,
    status=200,
    headers=(("Accept-Language", "Languages for the message; defaults to that of the store's country."),),
)
async def request_code(call: Call, id: int, body: CodeRequest) -> CodeSent:
    """Send a code to a phone or an e-mail; the response is the same whether or not it is registered."""
    await call.count(f"customer_code:{id}:{call.client_network}", MAX_CODES_PER_MINUTE)
    language = call.headers.get("accept-language")
    lifetime = await login_service.request_code(
        await stores.get_published_store(id), body, language, source=call.client_network
    )
    return CodeSent(sent=True, expires_in=int(lifetime.total_seconds()))


@routes.post("/restaurants/{id}/customer/otp/verify", cors=True, status=200)
async def log_in_by_code(call: Call, id: int, body: CodeBody) -> CustomerSession:
    """Log in with a code; a new phone or e-mail creates a customer."""
    await call.count(f"customer_verify:{id}:{call.client_network}", MAX_LOGINS_PER_MINUTE)
    return await login_service.log_in_by_code(await stores.get_published_store(id), body, source=call.client_network)
