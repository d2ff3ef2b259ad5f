"""Setup of menus, staff, drivers, drawers, gift cards and customers through the API."""

import asyncio
import math
import secrets
from collections.abc import Sequence
from typing import Any, Final

from evening.client import Api, UnexpectedAnswer
from evening.ledger import Customer, Driver, EveningLedger, Item, Shift, Store, StoredValue, Till, amount, to_cents
from evening.plan import DISHES, MINUTES

# Modes for guests at the counter, at a table or at home.
MODES: Final = ("on-table", "takeaway", "in_store", "delivery")
STOCK: Final = 400
# The last item has little stock, so that it runs out.
SCARCE_STOCK: Final = 12
OPENING_FLOAT: Final = 15000
FEE: Final = 250
DRIVER_PAY: Final = 300
CARD_COUNT: Final = 6
CARD_VALUE: Final = 6000
CUSTOMER_COUNT: Final = 4
CREDIT: Final = 9000
PASSWORD: Final = "walnut-cake-and-flan"


async def set_up_stores(
    ledger: EveningLedger, store_ids: Sequence[int], orders: int, drivers: int, speed: float
) -> None:
    """Create everything for the evening, with enough staff to stay within the rate limit of each token."""
    run = secrets.token_hex(3)
    answer = await ledger.owner.ask("GET", "")
    limit = int(answer.headers["x-ratelimit-limit"])
    # Operations depend on the installed plugins.
    ledger.operations = {each for group in answer.document["endpoints"].values() for each in group}
    crowd = orders / len(store_ids) / (MINUTES / speed) / limit
    ledger.stores = [await _load_store(ledger.owner, store_id) for store_id in store_ids]
    await asyncio.gather(*(_set_up_store(ledger, store, crowd, run) for store in ledger.stores))
    for number in range(drivers):
        ledger.drivers.append(await _create_driver(ledger, number))


async def load_baseline(ledger: EveningLedger, first: str, last: str) -> None:
    """Read the stores' previous sales, so that the evening's sales are the difference."""
    for store in ledger.stores:
        path = f"/restaurants/{store.id}"
        store.before = await ledger.owner.do("GET", f"{path}/analytics?from={first}&to={last}")
        store.orders_before = (await ledger.owner.do("GET", f"{path}/orders?per_page=1"))["total"]


async def _load_store(owner: Api, store_id: int) -> Store:
    record = await owner.do("GET", f"/restaurants/{store_id}")
    modes = tuple(mode for mode in MODES if mode in record["vertical"]["fulfillment_modes"])
    if not modes:
        raise UnexpectedAnswer(f"{record['title']} takes none of {', '.join(MODES)}")
    capabilities = record["vertical"]["capabilities"]
    store = Store(store_id, record["title"], modes, capabilities["kds"])
    if capabilities["stock"]:
        store.items = [Item(0, dish, STOCK) for dish in DISHES]
        store.items[-1].stock, store.items[-1].is_scarce = SCARCE_STOCK, True
    else:
        store.items = [Item(0, dish, None) for dish in DISHES]
    return store


async def _set_up_store(ledger: EveningLedger, store: Store, crowd: float, run: str) -> None:
    owner = ledger.owner
    await _hire_staff(owner, store, crowd, run)
    await _create_menu(store, run)
    if "delivery" in store.modes:
        # The second store offers deliveries to one driver at a time; in the others drivers claim them.
        await _set_delivery_terms(owner, store, "offer" if store is ledger.stores[1 % len(ledger.stores)] else "pool")
    scopes = {"name": f"Evening {run}", "scopes": ["menu:read", "order:write"]}
    token = await owner.do("POST", f"/restaurants/{store.id}/storefront-tokens", scopes)
    store.storefront = owner.with_token(token["token"], "X-Storefront-Token")
    for number in range(CARD_COUNT):
        body = {"amount": amount(CARD_VALUE), "note": f"Evening {run}"}
        card = await owner.do("POST", f"/restaurants/{store.id}/gift-cards", body, key=f"card-{run}-{number}")
        store.cards.append(StoredValue(card["id"], CARD_VALUE, to_cents(card["balance"]), card["code"]))
    for number in range(CUSTOMER_COUNT):
        store.customers.append(await _create_customer(owner, store, f"guest{number}.{run}@example.com"))


async def _hire_staff(owner: Api, store: Store, crowd: float, run: str) -> None:
    store.manager = await _create_member(owner, store, "manager", f"manager.{run}.{store.id}@example.com")
    store.approval_pin = _draw_pin()
    await owner.do(
        "POST", f"/restaurants/{store.id}/staff", {"name": "Host", "role": "cashier", "pin": store.approval_pin}
    )
    for role, people, each in (("waiter", store.waiters, 10), ("kitchen", store.cooks, 20)):
        if role == "waiter" or store.has_kitchen:
            for _ in range(min(10, max(2, math.ceil(crowd * each)))):
                people.append(await _create_member(owner, store, role))
    for name in ("bar", "counter"):
        cashier = await _create_member(owner, store, "cashier", f"{name}.{run}.{store.id}@example.com")
        store.tills.append(Till(f"{name}-{run}", cashier))
        await open_shift(store.tills[-1])


async def _set_delivery_terms(owner: Api, store: Store, mode: str) -> None:
    prices = {"fee": amount(FEE), "bands": [], "free_over": None, "min_order": None}
    body = {**prices, "driver_pay": amount(DRIVER_PAY), "dispatch_mode": mode}
    terms = await owner.do("PUT", f"/restaurants/{store.id}/delivery-terms", body)
    store.fee, store.driver_pay = to_cents(terms["fee"]), to_cents(terms.get("driver_pay", 0))
    store.makes_offers = terms.get("dispatch_mode") == "offer"


async def open_shift(till: Till) -> None:
    """Open a drawer with its float."""
    body = {"drawer": till.drawer, "opening_float": amount(OPENING_FLOAT)}
    shift = await till.cashier.do("POST", "/staff/shifts", body, key=f"open-{till.drawer}-{len(till.shifts)}")
    till.shifts.append(Shift(shift["id"], OPENING_FLOAT))


async def _create_menu(store: Store, run: str) -> None:
    assert store.manager is not None
    category = await store.manager.do("POST", "/staff/menu/categories", {"name": f"Evening {run}"})
    for item in store.items:
        body: dict[str, Any] = {
            "name": item.dish.name,
            "price": amount(item.dish.price),
            "category_id": category["id"],
            "stock": item.stock,
        }
        item.id = (await store.manager.do("POST", "/staff/menu/items", body))["id"]


async def _create_member(owner: Api, store: Store, role: str, email: str | None = None) -> Api:
    """Create a staff member and log them in, by e-mail or by PIN."""
    path, device = f"/restaurants/{store.id}/staff", secrets.token_hex(8)
    secret = {"email": email, "password": PASSWORD} if email else {"pin": _draw_pin()}
    await owner.do("POST", path, {"name": role.title(), "role": role, **secret})
    login = f"{path}/login" if email else f"{path}/pin"
    entered = await owner.with_token(None).do("POST", login, {**secret, "device": device})
    return owner.with_token(entered["token"])


def _draw_pin() -> str:
    return str(10_000_000 + secrets.randbelow(90_000_000))


async def _create_customer(owner: Api, store: Store, email: str) -> Customer:
    body = {"name": "Ada Almeida", "email": email, "password": PASSWORD, "device": "phone"}
    entered = await owner.with_token(None).do("POST", f"/restaurants/{store.id}/customer/register", body)
    customer_id = entered["customer"]["id"]
    grant = {"amount": amount(CREDIT), "note": "For a burnt pie"}
    path = f"/restaurants/{store.id}/store-credit/{customer_id}/entries"
    await owner.do("POST", path, grant, key=f"credit-{customer_id}")
    return Customer(customer_id, owner.with_token(entered["token"]), StoredValue(customer_id, CREDIT, CREDIT))


async def _create_driver(ledger: EveningLedger, number: int) -> Driver:
    """Create a driver; every fourth belongs to one store."""
    store = ledger.stores[number % len(ledger.stores)] if number % 4 == 3 else None
    phone = f"+3519{10_000_000 + secrets.randbelow(90_000_000)}"
    body = {"name": f"Driver {number + 1}", "phone": phone, "restaurant_id": store.id if store else None}
    record = await ledger.owner.do("POST", "/drivers", body)
    return Driver(record["id"], ledger.owner.with_token(record["token"]), store.id if store else None)
