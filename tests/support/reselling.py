"""A reseller with plans and customers, used over the API."""

from datetime import timedelta

from comanda.basics import clock
from comanda.devkit.testing.callers import create_test_owner
from comanda_reseller.models import Account, InvoiceIssuer
from comanda_reseller.records.invoices import NewInvoice, NewLine
from comanda_reseller.services.invoices import invoices
from comanda_reseller.services.resellers import account_administration
from comanda_wallet import api as wallet

API = "/api/v1"


class Reseller:
    """An owner account with the reseller flag, and what it does over the API."""

    def __init__(self, client, owner):
        self.client, self.owner = client, owner
        self.customers = []

    @property
    def id(self):
        return self.owner.id

    @classmethod
    async def create(cls, client, owner, **columns):
        """Make an owner a reseller; ``columns`` are those of its account."""
        await account_administration.create_reseller(owner.id)
        if columns:
            await Account.filter(owner_id=owner.id).update(**columns)
        return cls(client, owner)

    async def customer(self, balance_minor=0, method="wallet"):
        """Create an account with money in its wallet, and make it a customer."""
        customer = await create_test_owner()
        added = await account_administration.add_customer(self.owner.email, customer.email)
        added.collection_method = method
        await added.save(update_fields=["collection_method"])
        if balance_minor:
            await self.fund(customer, balance_minor)
        self.customers.append(customer)
        return customer

    async def fund(self, customer, amount_minor):
        reference = f"test:{customer.id}:{clock.now().timestamp()}:{amount_minor}"
        await wallet.top_up(customer.id, amount_minor, reference)

    async def invoice(self, customer, *prices_minor, reference="test", due_days=14, is_collected=False):
        """Issue an invoice with a line for each price, and collect it if asked to."""
        now = clock.now()
        new = NewInvoice(
            lines=[NewLine(f"Line {price}", price) for price in prices_minor],
            currency="EUR",
            period_start=now,
            period_end=now + timedelta(days=30),
            issued_at=now,
            due_at=now + timedelta(days=due_days),
            reference=reference,
        )
        issued = await invoices.issue_invoice(self.id, InvoiceIssuer.RESELLER, customer.id, new)
        if is_collected:
            await invoices.collect_invoice(issued, now)
        return issued

    async def get(self, path, expect=200, owner=None):
        reply = await self.client.get(API + path, headers=(owner or self.owner).auth)
        assert reply.status_code == expect, await reply.get_data()
        return await reply.get_json()

    async def send(self, method, path, body=None, *, owner=None, headers=()):
        """Send a request and return the status and the document."""
        reply = await self.client.open(
            API + path, method=method, json={} if body is None else body,
            headers={**(owner or self.owner).auth, **dict(headers)},
        )  # fmt: skip
        return reply.status_code, await reply.get_json()

    async def read(self, invoice):
        return await self.get(f"/reseller/customer-invoices/{invoice.id}")

    async def act(self, invoice, act, body=None, **options):
        return await self.send("POST", f"/reseller/customer-invoices/{invoice.id}/{act}", body, **options)
