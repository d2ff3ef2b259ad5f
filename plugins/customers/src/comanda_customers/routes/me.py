"""What customers do with their own profile and addresses."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Call
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import ANY_SCOPE, Routes

from comanda_customers.schemas.accounts import CustomerOut, ErasureBody, LoggedOut, ProfileChange
from comanda_customers.schemas.addresses import AddressBody, AddressChange, AddressOut
from comanda_customers.schemas.contacts import Export
from comanda_customers.services import addresses, entering, erasing, exporting, profiles

routes = Routes("Customer", callers=("customer",))


@routes.post("/customer/logout", scope=ANY_SCOPE, cors=True, status=200, answers=LoggedOut)
async def logout(caller: Caller) -> dict[str, Any]:
    """Log out on this device: the token that was used is void, others stay."""
    return await entering.logout(caller)


@routes.get("/customer/me", scope=ANY_SCOPE, cors=True, answers=CustomerOut)
async def show_me(caller: Caller) -> dict[str, Any]:
    """Show one's profile."""
    return await profiles.me(caller)


@routes.put("/customer/me", scope=ANY_SCOPE, cors=True, answers=CustomerOut)
async def change_me(caller: Caller, call: Call, body: ProfileChange) -> dict[str, Any]:
    """Change one's profile; what is left out stays. A new e-mail or phone opens no door before a ``code`` proves it."""
    return await profiles.change(caller, body, source=call.client_network)


@routes.delete("/customer/me", scope=ANY_SCOPE, cors=True)
async def erase_me(caller: Caller, call: Call, body: ErasureBody) -> None:
    """Erase one's personal data for good, with the password or a fresh code; orders stay, without a name."""
    await erasing.erase_self(caller, body, source=call.client_network)


@routes.get("/customer/me/export", scope=ANY_SCOPE, cors=True, answers=Export)
async def export_me(caller: Caller) -> dict[str, Any]:
    """Get all that the store has of one: profile, addresses, devices, notes, orders."""
    return await exporting.of_self(caller)


@routes.get("/customer/addresses", scope=ANY_SCOPE, cors=True, answers=Page[AddressOut])
async def list_addresses(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List one's saved addresses, newest first, 20 per page."""
    return await addresses.page_of_addresses(caller, page)


@routes.post("/customer/addresses", scope=ANY_SCOPE, cors=True, answers=AddressOut)
async def add_address(caller: Caller, body: AddressBody) -> dict[str, Any]:
    """Save an address, 20 at the most; the first becomes the default."""
    return await addresses.add(caller, body)


@routes.put("/customer/addresses/{id}", scope=ANY_SCOPE, cors=True, answers=AddressOut)
async def change_address(caller: Caller, id: int, body: AddressChange) -> dict[str, Any]:
    """Change an address, or make it the default; what is left out stays."""
    return await addresses.change(caller, id, body)


@routes.delete("/customer/addresses/{id}", scope=ANY_SCOPE, cors=True)
async def delete_address(caller: Caller, id: int) -> None:
    """Delete an address; after the default, the oldest that remains becomes it."""
    await addresses.delete(caller, id)
