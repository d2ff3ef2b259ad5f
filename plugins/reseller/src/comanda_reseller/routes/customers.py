"""Customers of a reseller."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_reseller.records.accounts import Customer
from comanda_reseller.schemas.customers import CustomerBody, CustomerChange, CustomerQuery, SuspendBody
from comanda_reseller.services.customers import customers

routes = Routes("Reseller")


@routes.get("/reseller/customers", scope="restaurants:read")
async def list_customers(caller: Caller, query: CustomerQuery, page: PageRequest) -> RecordPage[Customer]:
    """List customers, newest first, 20 per page; filter by ``status`` and by ``search`` in name and e-mail."""
    return await customers.list_customers(caller, query, page)


@routes.post("/reseller/customers", scope="restaurants:write")
async def create_customer(caller: Caller, body: CustomerBody) -> Customer:
    """Create an account that is the caller's customer, and invite its owner by e-mail to set a password."""
    return await customers.create_customer(caller, body)


@routes.get("/reseller/customers/{id}", scope="restaurants:read")
async def get_customer(caller: Caller, id: int) -> Customer:
    """Return a customer."""
    return await customers.get_customer(caller, id)


@routes.put("/reseller/customers/{id}", scope="restaurants:write")
async def update_customer(caller: Caller, id: int, body: CustomerChange) -> Customer:
    """Update how a customer pays and what its invoices say; omitted fields stay as they are."""
    return await customers.update_customer(caller, id, body)


@routes.post("/reseller/customers/{id}/invite", scope="restaurants:write", status=200)
async def invite_customer(caller: Caller, id: int) -> Customer:
    """Send the customer a new link to set its password; earlier links stop working."""
    return await customers.invite_customer(caller, id)


@routes.post("/reseller/customers/{id}/suspend", scope="restaurants:write", status=200)
async def suspend_customer(caller: Caller, id: int, body: SuspendBody) -> Customer:
    """Suspend a customer: its tokens get 403, its stores are hidden, and nothing is sent for it. Data stays.

    Repeating it changes nothing. Its subscription goes on; pause it to stop its invoices.
    """
    return await customers.suspend_customer(caller, id, body.reason)


@routes.post("/reseller/customers/{id}/unsuspend", scope="restaurants:write", status=200)
async def unsuspend_customer(caller: Caller, id: int) -> Customer:
    """Lift a suspension that the caller made. Repeating it changes nothing.

    409 ``suspended_by_other`` if the operator has suspended the account.
    """
    return await customers.unsuspend_customer(caller, id)
