"""Customers, as their store's owner sees them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_customers.schemas.contacts import ContactBody, ContactDetail, ContactOut, ContactQuery, Export
from comanda_customers.services import contacts, erasing, exporting

routes = Routes("Customers")


@routes.get("/restaurants/{id}/customers", scope="customers:read", answers=Page[ContactOut])
async def list_customers(caller: Caller, id: int, query: ContactQuery, page: PageRequest) -> dict[str, Any]:
    """List a store's customers, newest first, 30 per page; ``search`` looks in names, e-mails and phone numbers."""
    return await contacts.page_of_customers(caller, id, query.search, page)


@routes.post("/restaurants/{id}/customers", scope="customers:write", answers=ContactDetail)
async def add_customer(caller: Caller, id: int, body: ContactBody) -> dict[str, Any]:
    """Write a customer down; they can log in once they prove the e-mail or phone."""
    return await contacts.write_down(caller, id, body)


@routes.get("/restaurants/{id}/customers/{customerId}", scope="customers:read", answers=ContactDetail)
async def show_customer(caller: Caller, id: int, customer_id: int) -> dict[str, Any]:
    """Show a customer with their addresses."""
    return await contacts.customer(caller, id, customer_id)


@routes.get("/restaurants/{id}/customers/{customerId}/export", scope="customers:read", answers=Export)
async def export_customer(caller: Caller, id: int, customer_id: int) -> dict[str, Any]:
    """Get all that the store has of a customer, to hand it to them."""
    return await exporting.of_customer(caller, id, customer_id)


@routes.delete("/restaurants/{id}/customers/{customerId}", scope="customers:write")
async def erase_customer(caller: Caller, id: int, customer_id: int) -> None:
    """Erase a customer's personal data for good and log them out; their orders stay, without a name."""
    await erasing.erase(caller, id, customer_id)
