"""Customers of a store, for its owner."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_customers.records.customers import Contact, DetailedContact
from comanda_customers.records.data_exports import DataExport
from comanda_customers.schemas.contacts import ContactBody, ContactChange, ContactQuery, Export
from comanda_customers.services.guest_list import contacts
from comanda_customers.services.personal_data import data_export, erasure

routes = Routes("Customers")


@routes.get("/restaurants/{id}/customers", scope="customers:read")
async def list_customers(caller: Caller, id: int, query: ContactQuery, page: PageRequest) -> RecordPage[Contact]:
    """List a store's customers, newest first, 30 per page; ``search`` matches names, e-mails and phone numbers."""
    return await contacts.list_contacts(caller, id, query.search, page)


@routes.post("/restaurants/{id}/customers", scope="customers:write")
async def create_customer(caller: Caller, id: int, body: ContactBody) -> DetailedContact:
    """Create a customer; they can log in once they prove the e-mail or phone."""
    return await contacts.create_contact(caller, id, body)


@routes.get("/restaurants/{id}/customers/{customerId}", scope="customers:read")
async def get_customer(caller: Caller, id: int, customer_id: int) -> DetailedContact:
    """Return a customer with their addresses."""
    return await contacts.get_contact(caller, id, customer_id)


@routes.put("/restaurants/{id}/customers/{customerId}", scope="customers:write")
async def update_customer(caller: Caller, id: int, customer_id: int, body: ContactChange) -> DetailedContact:
    """Update a customer; fields left out are unchanged. They still log in by the e-mail or phone that they proved."""
    return await contacts.update_contact(caller, id, customer_id, body)


@routes.get("/restaurants/{id}/customers/{customerId}/export", scope="customers:read", answers=Export)
async def export_customer(caller: Caller, id: int, customer_id: int) -> DataExport:
    """Return all data that the store has about a customer, to hand it to them."""
    return await data_export.export_customer(caller, id, customer_id)


@routes.delete("/restaurants/{id}/customers/{customerId}", scope="customers:write")
async def erase_customer(caller: Caller, id: int, customer_id: int) -> None:
    """Erase a customer's personal data permanently and log them out; their orders are kept without a name."""
    await erasure.erase_customer(caller, id, customer_id)
