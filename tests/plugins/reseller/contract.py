"""Paths and bodies of the reseller plugin, for tests of every route."""

from datetime import timedelta
from itertools import count

from comanda.basics import clock
from comanda.devkit.testing import create_test_owner
from comanda_reseller.models import Customer, InvoiceIssuer
from comanda_reseller.records.invoices import NewInvoice, NewLine
from comanda_reseller.services.invoices import invoices
from comanda_reseller.services.resellers import account_administration
from comanda_wallet import api as wallet

_numbers = count(1)


async def enable(workshop):
    """Make the owner a reseller, unless it is one."""
    await account_administration.create_reseller(workshop.owner.id)


async def customer(workshop):
    """Make another account the owner's customer, which pays by hand."""
    await enable(workshop)
    account = await create_test_owner()
    await add(workshop.owner, account)
    return account.id


async def add(reseller, account):
    added = await account_administration.add_customer(reseller.email, account.email)
    await Customer.filter(owner_id=reseller.id, id=added.id).update(collection_method="manual")


async def plan(workshop, **fields):
    await enable(workshop)
    body = {"code": f"plan-{next(_numbers)}", "name": "Plan", "price": 30, **fields}
    return await workshop.post("/reseller/plans", body)


async def get_code(workshop, plan_id):
    response = await workshop.client.get(f"/api/v1/reseller/plans/{plan_id}", headers=workshop.owner.auth)
    return (await response.get_json())["code"]


async def subscription(workshop, **fields):
    return await workshop.post("/reseller/subscriptions", await subscription_body(workshop, **fields))


async def trial(workshop):
    return await subscription(workshop, trial_days=7)


async def customer_invoice(workshop):
    """Have a customer owe its first period."""
    id = await subscription(workshop)
    response = await workshop.client.get(f"/api/v1/reseller/subscriptions/{id}", headers=workshop.owner.auth)
    return (await response.get_json())["open_invoice_id"]


async def platform_invoice(workshop):
    """Have the owner owe the platform, with enough in its wallet to pay."""
    await enable(workshop)
    await wallet.top_up(workshop.owner.id, 100_00, f"contract:{next(_numbers)}")
    moment = clock.now()
    new = NewInvoice(
        lines=[NewLine("Fee", 10_00)],
        currency=wallet.get_currency(),
        period_start=moment,
        period_end=moment + timedelta(days=30),
        issued_at=moment,
        due_at=moment + timedelta(days=14),
        reference=f"contract:{next(_numbers)}",
    )
    owner_id = workshop.owner.id
    return (await invoices.issue_invoice(owner_id, InvoiceIssuer.PLATFORM, owner_id, new)).id


async def own_invoice(workshop):
    """Have the owner owe a reseller its first period, with enough in its wallet to pay."""
    reseller = type(workshop)(workshop.client, await create_test_owner())
    await enable(reseller)
    await add(reseller.owner, workshop.owner)
    await wallet.top_up(workshop.owner.id, 100_00, f"contract:{next(_numbers)}")
    body = {"customer_id": workshop.owner.id, "plan_code": await get_code(reseller, await plan(reseller))}
    id = await reseller.post("/reseller/subscriptions", body)
    response = await reseller.client.get(f"/api/v1/reseller/subscriptions/{id}", headers=reseller.owner.auth)
    return (await response.get_json())["open_invoice_id"]


FACTORIES = {
    "/reseller/customers/{id}": customer,
    "/reseller/plans/{id}": plan,
    "/reseller/subscriptions/{id}": trial,
    "/reseller/customer-invoices/{invoiceId}": customer_invoice,
    "/reseller/invoices/{invoiceId}": platform_invoice,
    "/invoices/{invoiceId}": own_invoice,
}
OWNERS_APART = {"/invoices": "A reseller is nobody's customer."}


async def customer_body(workshop, *_):
    await enable(workshop)
    return {
        "email": f"stolen-{workshop.owner.id}-{next(_numbers)}@example.com", "name": "Stolen",
        "collection_method": "manual", "language": "de", "legal_name": "Stolen Ltd.", "address": "x",
        "tax_number": "x",
    }  # fmt: skip


async def plan_body(workshop, *_):
    await enable(workshop)
    return {
        "code": f"stolen-{next(_numbers)}", "name": "Stolen", "price": 3.5, "interval": "year", "trial_days": 3,
        "limits": {"stores": 1, "items": 2, "staff": 3, "orders_per_month": 4, "payment_fee": 5},
        "features": ["webhooks"],
        "active": False,
    }  # fmt: skip


async def subscription_body(workshop, *_, **fields):
    plan_code = await get_code(workshop, await plan(workshop))
    return {"customer_id": await customer(workshop), "plan_code": plan_code, **fields}


async def plan_choice(workshop, *_):
    return {"plan_code": await get_code(workshop, await plan(workshop, price=90))}


async def billing_settings(workshop, *_):
    await enable(workshop)
    return {"legal_name": "Stolen", "address": "x", "tax_number": "x", "tax_rate": 7, "due_days": 3}


async def brand(workshop, *_):
    await enable(workshop)
    return {"name": "Stolen", "email": "stolen@example.com"}


async def credit_note_body(workshop, invoice_id):
    await invoices.mark_paid(workshop.owner.id, invoice_id, "contract", "test")
    return {"amount": 1, "reason": "Stolen", "refund_to": "credit"}


BODIES = {
    "CustomerBody": customer_body,
    "CustomerChange": {"collection_method": "manual", "language": "de", "legal_name": "Stolen Ltd.", "address": "x"},
    "SuspendBody": {"reason": "Stolen"},
    "PlanBody": plan_body,
    "PlanChange": {"name": "Stolen", "price": 3.5, "trial_days": 3, "limits": {"stores": 1}, "features": ["webhooks"]},
    "SubscriptionBody": subscription_body,
    "CancelBody": {"now": True},
    "PlanChoice": plan_choice,
    "RecordPaymentBody": {"reference": "Stolen"},
    "ReasonBody": {"reason": "Stolen"},
    "CreditNoteBody": credit_note_body,
    "BillingSettingsChange": billing_settings,
    "ResellerBrandBody": brand,
}
