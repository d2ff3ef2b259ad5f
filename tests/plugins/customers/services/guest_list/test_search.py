"""Search by name and phone."""

EVE = {"name": "Ève Gonçalves", "email": "Eve@example.com", "phone": "+351 912 345 678"}


GUEST_SEARCHES = [
    ("jose", True), ("JOS%C3%89", True), ("jos%C3%A9  arau", True), ("STRASSE", True), ("s%C3%B8ren", True),
    ("soren", True), ("912 345", True), ("%2B351 912-345-678", True), ("00351912", True), ("0912", True),
    ("345678", True), ("", True), ("%20", True), ("jo_e", False), ("%25", False), ("jos%25", False), ("_", False),
    ("5678 jose", False), ("9999", False), ("0", False), ("x' OR 1=1", False), ("%5C", False), ("x" * 100, False),
]  # fmt: skip


async def test_guest_search_ignores_case_and_accents(order, list_guests, subtests):
    await order(customer_name="José Araújo Søren Straße")

    for query, found in GUEST_SEARCHES:
        with subtests.test(query=query, found=found):
            assert bool(await list_guests(f"search={query}")) is found


CUSTOMER_SEARCHES = [
    ("eve", True), ("%C3%88VE", True), ("goncalves", True), ("eve%40EXAMPLE", True), ("912 345-678", True),
    ("00351912", True), ("", True), ("%25", False), ("_ve", False), ("nobody", False), ("x' OR 1=1", False),
]  # fmt: skip


async def test_customer_search_ignores_case_and_accents(store, subtests):
    await store.send("POST", "/customers", EVE)

    for query, found in CUSTOMER_SEARCHES:
        with subtests.test(query=query, found=found):
            assert bool((await store.get(f"/customers?search={query}"))["data"]) is found
