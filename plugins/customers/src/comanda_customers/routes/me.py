"""A customer's own profile and saved addresses."""

from comanda.contracts import ANY_SCOPE, Call, Caller, PageRequest, RecordPage, Routes

from comanda_customers.records.customers import Profile, SavedAddress
from comanda_customers.records.data_exports import DataExport
from comanda_customers.schemas.accounts import ErasureBody, LoggedOut, ProfileChange
from comanda_customers.schemas.addresses import AddressBody, AddressChange
from comanda_customers.schemas.contacts import Export
from comanda_customers.scopes import PROFILE
from comanda_customers.services import addresses, profiles
from comanda_customers.services.personal_data import data_export, erasure
from comanda_customers.services.sign_in import login

routes = Routes("Customer", callers=("customer",))


@routes.post("/customer/logout", scope=ANY_SCOPE, cors=True, status=200)
async def log_out(caller: Caller) -> LoggedOut:
    """Log out on this device: revokes the token that was used, and no other."""
    await login.log_out(caller)
    return LoggedOut(message="You are logged out.")


@routes.get("/customer/me", scope=PROFILE, is_delegable=True, cors=True)
async def get_me(caller: Caller) -> Profile:
    """Return your profile."""
    return await profiles.get_profile(caller)


@routes.put("/customer/me", scope=PROFILE, is_delegable=True, cors=True)
async def update_me(caller: Caller, call: Call, body: ProfileChange) -> Profile:
    """Update your profile; fields left out are unchanged. A new e-mail or phone needs a ``code`` to log in by it."""
    return await profiles.update_profile(caller, body, source=call.client_network)


@routes.delete("/customer/me", scope=ANY_SCOPE, cors=True)
async def erase_me(caller: Caller, call: Call, body: ErasureBody) -> None:
    """Erase your personal data permanently, with the password or a new code; orders are kept without a name."""
    await erasure.erase_own_data(caller, body, source=call.client_network)


@routes.get("/customer/me/export", scope=ANY_SCOPE, cors=True, answers=Export)
async def export_me(caller: Caller) -> DataExport:
    """Return all data that the store has about you: profile, addresses, devices, guest records, orders."""
    return await data_export.export_own_data(caller)


@routes.get("/customer/addresses", scope=PROFILE, is_delegable=True, cors=True)
async def list_addresses(caller: Caller, page: PageRequest) -> RecordPage[SavedAddress]:
    """List your saved addresses, newest first, 20 per page."""
    return await addresses.list_addresses(caller, page)


@routes.post("/customer/addresses", scope=PROFILE, is_delegable=True, cors=True)
async def create_address(caller: Caller, body: AddressBody) -> SavedAddress:
    """Create an address, at most 20; the first becomes the default."""
    return await addresses.create_address(caller, body)


@routes.put("/customer/addresses/{id}", scope=PROFILE, is_delegable=True, cors=True)
async def update_address(caller: Caller, id: int, body: AddressChange) -> SavedAddress:
    """Update an address, or make it the default; fields left out are unchanged."""
    return await addresses.update_address(caller, id, body)


@routes.delete("/customer/addresses/{id}", scope=PROFILE, is_delegable=True, cors=True)
async def delete_address(caller: Caller, id: int) -> None:
    """Delete an address; if it was the default, the oldest remaining one becomes the default."""
    await addresses.delete_address(caller, id)
