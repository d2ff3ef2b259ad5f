"""Before the evening: menus, staff, drivers, drawers, gift cards and customers, all made through the API."""

import asyncio
import math
import secrets
from collections.abc import Sequence
from typing import Any, Final

from evening.books import Books, Customer, Driver, Item, Purse, Shift, Store, Till, amount, cents
from evening.client import Api, Unexpected
from evening.plan import DISHES, MINUTES

# What people do for a guest who stands there, sits at a table, or waits at home.
MODES: Final = ("on-table", "takeaway", "in_store", "delivery")
STOCK: Final = 400
# Of the last thing on the menu there is little, so that it runs out.
SCARCE: Final = 12
FLOAT: Final = 15000
FEE: Final = 250
DRIVER_PAY: Final = 300
CARDS: Final = 6
CARD_VALUE: Final = 6000
CUSTOMERS: Final = 4
CREDIT: Final = 9000
PASSWORD: Final = "walnut-cake-and-flan"  # noqa: S105 - nobody keeps these accounts


async def furnish(books: Books, store_ids: Sequence[int], orders: int, drivers: int, speed: float) -> None:
    """Make everything that the evening needs, with so many people that none asks more than a token may in a minute."""
    run = secrets.token_hex(3)
    answer = await books.owner.ask("GET", "")
    limit = int(answer.headers["x-ratelimit-limit"])
    # Plugins bring operations, so an installation may have fewer than another.
    books.operations = {each for group in answer.document["endpoints"].values() for each in group}
    crowd = orders / len(store_ids) / (MINUTES / speed) / limit
    books.stores = [await _store(books.owner, store_id) for store_id in store_ids]
    await asyncio.gather(*(_furnish(books, store, crowd, run) for store in books.stores))
    for number in range(drivers):
        books.drivers.append(await _driver(books, number))


async def read_before(books: Books, first: str, last: str) -> None:
    """Read what the stores had sold before, so that what is sold now is the difference."""
    for store in books.stores:
        path = f"/restaurants/{store.id}"
        store.before = await books.owner.do("GET", f"{path}/analytics?from={first}&to={last}")
        store.orders_before = (await books.owner.do("GET", f"{path}/orders?per_page=1"))["total"]


async def _store(owner: Api, store_id: int) -> Store:
    record = await owner.do("GET", f"/restaurants/{store_id}")
    modes = tuple(mode for mode in MODES if mode in record["vertical"]["fulfillment_modes"])
    if not modes:
        raise Unexpected(f"{record['title']} takes none of {', '.join(MODES)}")
    capabilities = record["vertical"]["capabilities"]
    store = Store(store_id, record["title"], modes, capabilities["kds"])
    if capabilities["stock"]:
        store.items = [Item(0, dish, STOCK) for dish in DISHES]
        store.items[-1].stock, store.items[-1].is_scarce = SCARCE, True
    else:
        store.items = [Item(0, dish, None) for dish in DISHES]
    return store


async def _furnish(books: Books, store: Store, crowd: float, run: str) -> None:
    owner = books.owner
    await _employ(owner, store, crowd, run)
    await _menu(store, run)
    if "delivery" in store.modes:
        # Drivers of the second store are asked one after the other; those of the others take what they like.
        await _deliver(owner, store, "offer" if store is books.stores[1 % len(books.stores)] else "pool")
    scopes = {"name": f"Evening {run}", "scopes": ["menu:read", "order:write"]}
    token = await owner.do("POST", f"/restaurants/{store.id}/storefront-tokens", scopes)
    store.storefront = owner.with_token(token["token"], "X-Storefront-Token")
    for number in range(CARDS):
        body = {"amount": amount(CARD_VALUE), "note": f"Evening {run}"}
        card = await owner.do("POST", f"/restaurants/{store.id}/gift-cards", body, key=f"card-{run}-{number}")
        store.cards.append(Purse(card["id"], CARD_VALUE, cents(card["balance"]), card["code"]))
    for number in range(CUSTOMERS):
        store.customers.append(await _customer(owner, store, f"guest{number}.{run}@example.com"))


async def _employ(owner: Api, store: Store, crowd: float, run: str) -> None:
    store.manager = await _member(owner, store, "manager", f"manager.{run}.{store.id}@example.com")
    for role, people, each in (("waiter", store.waiters, 10), ("kitchen", store.cooks, 20)):
        if role == "waiter" or store.has_kitchen:
            for _ in range(min(10, max(2, math.ceil(crowd * each)))):
                people.append(await _member(owner, store, role))
    for name in ("bar", "counter"):
        cashier = await _member(owner, store, "cashier", f"{name}.{run}.{store.id}@example.com")
        store.tills.append(Till(f"{name}-{run}", cashier))
        await open_shift(store.tills[-1])


async def _deliver(owner: Api, store: Store, mode: str) -> None:
    prices = {"fee": amount(FEE), "bands": [], "free_over": None, "min_order": None}
    body = {**prices, "driver_pay": amount(DRIVER_PAY), "dispatch_mode": mode}
    terms = await owner.do("PUT", f"/restaurants/{store.id}/delivery-terms", body)
    store.fee, store.driver_pay = cents(terms["fee"]), cents(terms.get("driver_pay", 0))
    store.makes_offers = terms.get("dispatch_mode") == "offer"


async def open_shift(till: Till) -> None:
    """Open a drawer with its float."""
    body = {"drawer": till.drawer, "opening_float": amount(FLOAT)}
    shift = await till.cashier.do("POST", "/staff/shifts", body, key=f"open-{till.drawer}-{len(till.shifts)}")
    till.shifts.append(Shift(shift["id"], FLOAT))


async def _menu(store: Store, run: str) -> None:
    assert store.manager is not None  # noqa: S101 - made a moment ago
    category = await store.manager.do("POST", "/staff/menu/categories", {"name": f"Evening {run}"})
    for item in store.items:
        body: dict[str, Any] = {
            "name": item.dish.name,
            "price": amount(item.dish.price),
            "category_id": category["id"],
            "stock": item.stock,
        }
        item.id = (await store.manager.do("POST", "/staff/menu/items", body))["id"]


async def _member(owner: Api, store: Store, role: str, email: str | None = None) -> Api:
    """Employ somebody and log them in: by e-mail where they have one, else by PIN."""
    path, device = f"/restaurants/{store.id}/staff", secrets.token_hex(8)
    pin = str(10_000_000 + secrets.randbelow(90_000_000))
    secret = {"email": email, "password": PASSWORD} if email else {"pin": pin}
    await owner.do("POST", path, {"name": role.title(), "role": role, **secret})
    login = f"{path}/login" if email else f"{path}/pin"
    entered = await owner.with_token(None).do("POST", login, {**secret, "device": device})
    return owner.with_token(entered["token"])


async def _customer(owner: Api, store: Store, email: str) -> Customer:
    body = {"name": "Ada Almeida", "email": email, "password": PASSWORD, "device": "phone"}
    entered = await owner.with_token(None).do("POST", f"/restaurants/{store.id}/customer/register", body)
    customer_id = entered["customer"]["id"]
    grant = {"amount": amount(CREDIT), "note": "For a burnt pie"}
    path = f"/restaurants/{store.id}/store-credit/{customer_id}/entries"
    await owner.do("POST", path, grant, key=f"credit-{customer_id}")
    return Customer(customer_id, owner.with_token(entered["token"]), Purse(customer_id, CREDIT, CREDIT))


async def _driver(books: Books, number: int) -> Driver:
    """Add a driver; every fourth belongs to one store."""
    store = books.stores[number % len(books.stores)] if number % 4 == 3 else None
    phone = f"+3519{10_000_000 + secrets.randbelow(90_000_000)}"
    body = {"name": f"Driver {number + 1}", "phone": phone, "restaurant_id": store.id if store else None}
    record = await books.owner.do("POST", "/drivers", body)
    return Driver(record["id"], books.owner.with_token(record["token"]), store.id if store else None)
