"""Paths and bodies of the payments plugin's routes, for tests of every route."""

from comanda.basics import clock
from comanda.contracts import API_PREFIX
from comanda.platform.db import sql
from comanda_customers.models import Customer


async def customer(workshop, store_id):
    columns = {"name": "Ada", "phone": f"+3519{store_id:08}", "created_at": clock.now()}
    row, _ = await Customer.get_or_create(columns, owner_id=workshop.owner.id, store_id=store_id, email="a@example.com")
    return row.id


async def card(workshop, store_id):
    return await workshop.post(f"/restaurants/{store_id}/gift-cards", {"amount": 25})


async def payment(workshop, store_id, order_id):
    """Pay a little of an order, which other routes pay little by little, too."""
    body = {"method": "cash", "amount": 0.1}
    return await workshop.post(f"/restaurants/{store_id}/orders/{order_id}/payments", body)


async def refund(workshop, store_id, order_id):
    await payment(workshop, store_id, order_id)
    body = {"amount": 0.05, "reason": "x"}
    return await workshop.post(f"/restaurants/{store_id}/orders/{order_id}/refunds", body)


async def driver_cash(workshop, store_id):
    """Give a driver, whose id is that of the store, 30.00 of the store's cash."""
    cash_id = await sql.fetch_value(
        """INSERT INTO payments_driver_cash
               (owner_id, store_id, driver_id, driver_name, currency, balance_minor, created_at)
           VALUES ($1, $2, $2, $3, 'EUR', 3000, $4)
           ON CONFLICT (store_id, owner_id, driver_id, currency) DO UPDATE SET balance_minor = 3000 RETURNING id""",
        *(workshop.owner.id, store_id, workshop.marker, clock.now()),
    )
    await sql.execute(
        """INSERT INTO payments_driver_cash_entry (owner_id, cash_id, kind, amount_minor, balance_minor, order_id,
               actor, created_at)
           SELECT $1, $2, 'collected', 3000, 3000, o.id, 'driver:1', $4 FROM core_order o WHERE o.id = $3""",
        *(workshop.owner.id, cash_id, await workshop.order(store_id), clock.now()),
    )
    return store_id


async def driver_cash_at_home(workshop):
    return await driver_cash(workshop, workshop.home)


async def code_body(workshop, store_id, *_):
    path = f"{API_PREFIX}/restaurants/{store_id}/gift-cards"
    response = await workshop.client.post(path, headers=workshop.owner.auth, json={"amount": 25})
    return {"code": (await response.get_json())["code"]}


async def refund_body(workshop, *ids):
    order_id = ids[-1]
    store_id = await sql.fetch_value("SELECT store_id FROM core_order WHERE id = $1", order_id)
    await payment(workshop, store_id, order_id)
    return {"reason": "x", "amount": 0.05}


async def own_payment_body(workshop, *ids):
    order_id = ids[-1]
    store_id = await sql.fetch_value("SELECT store_id FROM core_order WHERE id = $1", order_id)
    return {"method": "gift_card", "amount": 1, "tip": 1, **await code_body(workshop, store_id)}


async def gift_card_body(workshop, store_id, *_):
    customer_id = await customer(workshop, store_id)
    return {"amount": 5, "customer_id": customer_id, "expires_at": "2030-01-01T00:00:00Z", "note": "x"}


# What is being paid online, or was paid by another test, cannot be refunded or discounted.
OWNERS_APART = {
    "/restaurants/{id}/orders/{orderId}/refunds": "Its order is paid in part, and no more.",
    "/restaurants/{id}/orders/{orderId}/discounts": "Its order is not being paid.",
    "/restaurants/{id}/orders/{orderId}/payments": "Its order is being paid online.",
}


async def pending(workshop, store_id, order_id):
    """Create a pending payment whose page has not been opened."""
    payment_id = await payment(workshop, store_id, order_id)
    await sql.execute(
        """UPDATE payments_payment SET status = 'pending', finished_at = NULL, check_at = '2999-01-01',
           tendered_minor = NULL, method = 'stripe' WHERE id = $1""",
        payment_id,
    )
    return payment_id


async def pending_of_own(workshop, order_id):
    store_id = await sql.fetch_value("SELECT store_id FROM core_order WHERE id = $1", order_id)
    return await pending(workshop, store_id, order_id)


async def account(workshop, *_):
    """Connect an account that needs no credentials, for a store that has none."""
    body = {"provider": "demo", "restaurant_id": await workshop.owner.store()}
    return await workshop.post("/payment-accounts", body)


async def payout(workshop, *_):
    """Record a payout of an account, made of a fee."""
    columns = (workshop.owner.id, await account(workshop), clock.now())
    payout_id = await sql.fetch_value(
        """INSERT INTO payments_payout
               (owner_id, account_id, provider, reference, state, amount_minor, currency, parts_at, created_at)
           VALUES ($1, $2, 'demo', 'po-' || $2::bigint, 'paid', -200, 'EUR', $3, $3) RETURNING id""",
        *columns,
    )
    await sql.execute(
        """INSERT INTO payments_payout_part (owner_id, payout_id, reference, kind, amount_minor, fee_minor)
           VALUES ($1, $2, 'fee', 'fee', -200, 0)""",
        *(workshop.owner.id, payout_id),
    )
    return payout_id


async def provider(workshop):
    return "demo"


async def reader(workshop, account_id):
    path = f"{API_PREFIX}/payment-accounts/{account_id}/readers"
    response = await workshop.client.post(path, headers=workshop.owner.auth, json={"name": "Bar"})
    return (await response.get_json())["reference"]


async def account_ref(workshop, _provider):
    return f"{workshop.owner.id}-{await account(workshop)}"


async def account_body(workshop, *_):
    return {"provider": "demo", "restaurant_id": await workshop.owner.store(), "credentials": {}}


async def prepayment(workshop, store_id):
    """Record a deposit that is paid."""
    prepayment_id = await sql.fetch_value(
        """INSERT INTO payments_prepayment (owner_id, store_id, kind, status, amount_minor, paid_minor, currency,
               description, due_at, created_at)
           VALUES ($1, $2, 'deposit', 'paid', 400, 400, 'EUR', 'Deposit', $3, $3) RETURNING id""",
        *(workshop.owner.id, store_id, clock.now()),
    )
    await sql.execute(
        """INSERT INTO payments_payment (owner_id, store_id, prepayment_id, method, status, amount_minor, actor,
               charge_reference, created_at, finished_at)
           VALUES ($1, $2, $3, 'demo', 'succeeded', 400, 'guest', 'x', $4, $4)""",
        *(workshop.owner.id, store_id, prepayment_id, clock.now()),
    )
    return prepayment_id


async def application_body(workshop, store_id, *_):
    return {"order_id": await workshop.order(store_id)}


ORDER = "/restaurants/{id}/orders/{orderId}"
FACTORIES = {
    "/payment-accounts/{accountId}": account,
    "/payment-accounts/{accountId}/readers/{reference}": reader,
    "/payouts/{payoutId}": payout,
    "/payments/webhooks/{provider}": provider,
    "/payments/webhooks/{provider}/{accountRef}": account_ref,
    "/restaurants/{id}/gift-cards/{cardId}": card,
    "/restaurants/{id}/store-credit/{customerId}": customer,
    "/restaurants/{id}/prepayments/{prepaymentId}": prepayment,
    f"{ORDER}/payments/{{paymentId}}": pending,
    "/restaurants/{id}/driver-cash/{driverId}": driver_cash,
    "/staff/driver-cash/{driverId}": driver_cash_at_home,
    f"{ORDER}/refunds/{{refundId}}": refund,
    "/customer/orders/{orderId}/payments/{paymentId}": pending_of_own,
    "/staff/orders/{orderId}/payments/{paymentId}": pending_of_own,
}
BODIES = {
    "PaymentAccountBody": account_body,
    "CredentialsBody": {"credentials": {}},
    "CardReaderBody": {"name": "Bar", "code": "x"},
    "CardReaderNameBody": {"name": "Terrace"},
    "AccountPageBody": {"return_url": "https://a.example/back"},
    "PaymentBody": {"method": "cash", "amount": 1, "tip": 1, "reference": "x"},
    "OwnPaymentBody": own_payment_body,
    "SplitBody": {"by": "evenly", "n": 3},
    "RefundBody": refund_body,
    "GiftCardBody": gift_card_body,
    "AdjustmentBody": {"amount": 2, "reason": "x"},
    "LookupBody": code_body,
    "PrepaymentRefundBody": {"reason": "x", "amount": 1},
    "PrepaymentApplicationBody": application_body,
    "CreditEntryBody": {"kind": "grant", "amount": 2, "note": "x"},
}
