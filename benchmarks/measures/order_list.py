"""Reading lists of a store with a thousand orders or guests, and of one with a million orders and 200,000 guests."""

from datetime import UTC, datetime

from benchmarks.bench import Bench, Program
from benchmarks.cluster import execute
from benchmarks.findings import AT_MOST, Finding
from benchmarks.world import FEW_MATCHES, ORDER_SPACING, do_upkeep, seed_guests, seed_orders

TIME_OF_FEW = 1.3
CONNECTIONS = 8
FEW = 1000
GUESTS_BY_ORDERS = 5
PER_PAGE = 30
GUESTS_PER_PAGE = 20


async def measure(bench: Bench) -> None:
    """Read pages of orders and guests, and search both, on two servers that differ in their tables alone."""
    many, guests = bench.pace.orders, bench.pace.orders // GUESTS_BY_ORDERS
    few_url = await bench.cluster.create("bench_few", template="bench")
    many_url = await bench.cluster.create("bench_many", template="bench")
    bench.say(f"lists: putting {many:,} orders and {guests:,} guests into tables")
    now = datetime.now(UTC)
    for url, orders, people in ((few_url, FEW, FEW), (many_url, many, guests)):
        await seed_orders(url, bench.world, orders, now - orders * ORDER_SPACING)
        await seed_guests(url, bench.world, people)
        await do_upkeep(url)
        await execute(url, "VACUUM ANALYZE")
    store = f"/api/v1/restaurants/{bench.world.shops[0].id}"
    with bench.comanda(few_url) as (few, few_port), bench.comanda(many_url) as (full, full_port):
        await few.answers(few_port, "/healthz")
        await full.answers(full_port, "/healthz")
        for label, of_few_path, of_many_path in (*_list_orders(many), *_list_guests(guests)):
            programs = [
                Program("of many", full, full_port, [bench.world.get_request(store + of_many_path)]),
                Program("of few", few, few_port, [bench.world.get_request(store + of_few_path)]),
            ]
            of_many, of_few = (await bench.compare(label, programs, CONNECTIONS)).values()
            bench.report.findings.append(
                Finding.of_rounds(
                    f"{label}, {guests if 'guests' in label else many:,} beside {FEW:,}",
                    "ms",
                    of_many.p50s_ms,
                    of_few.p50s_ms,
                    AT_MOST,
                    TIME_OF_FEW,
                )
            )


def _list_orders(many: int) -> list[tuple[str, str, str]]:
    """List pages of orders with their paths: deep pages are compared with deep pages of the small table."""
    last_of_few, last_of_many = -(-FEW // PER_PAGE), -(-many // PER_PAGE)
    # One in twenty is being prepared.
    completed = last_of_many * 19 // 20
    return [
        ("page of 30 orders", "/orders", "/orders"),
        ("page 1,000 of orders", "/orders?page=17", "/orders?page=1000"),
        ("last page of orders", f"/orders?page={last_of_few}", f"/orders?page={last_of_many}"),
        ("page of 30 orders, one status", "/orders?status=preparing", "/orders?status=preparing"),
        ("page 1,000 of orders, one status", "/orders?status=completed&page=16", "/orders?status=completed&page=1000"),
        (
            "last page of orders, one status",
            "/orders?status=completed&page=32",
            f"/orders?status=completed&page={completed}",
        ),
        (f"search of orders by name, {FEW_MATCHES} found", "/orders?search=albuquerq", "/orders?search=albuquerq"),
        ("search of orders by phone, one found", "/orders?search=900000500", "/orders?search=900000500"),
        ("search of orders, none found", "/orders?search=nobody", "/orders?search=nobody"),
    ]


def _list_guests(many: int) -> list[tuple[str, str, str]]:
    last_of_few, last_of_many = FEW // GUESTS_PER_PAGE, many // GUESTS_PER_PAGE
    return [
        ("page of 20 guests", "/guests", "/guests"),
        ("page 1,000 of guests", "/guests?page=25", "/guests?page=1000"),
        ("last page of guests", f"/guests?page={last_of_few}", f"/guests?page={last_of_many}"),
        ("search of guests by name", "/guests?search=rosa+500", "/guests?search=rosa+500"),
    ]
