"""The idempotency of reservations."""

import asyncio


async def test_repeated_key_returns_first_reservation(restaurant, published, noon):
    await restaurant.create_table("1")
    first = await restaurant.request_reservation(key="abc")
    # Even when it could not be made any more.
    noon.advance(days=2)

    again, other = (
        await restaurant.request_reservation(key="abc"),
        await restaurant.request_reservation(key="abc", party_size=3),
    )

    assert (again.status, again.document) == (first.status, first.document) == (201, again.document)
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotency-mismatch" not in again.headers
    assert other.headers["idempotency-mismatch"] == "true"
    assert other.document == first.document
    assert len(await published()) == await restaurant.count_reservations() == 1


async def test_invalid_key_returns_422(restaurant):
    reply = await restaurant.request_reservation(key="two words")

    assert list(reply.errors) == ["Idempotency-Key"]
    assert await restaurant.count_reservations() == 0


async def test_refused_request_keeps_key_usable(restaurant):
    await restaurant.create_table("1", 2)
    refused = await restaurant.request_reservation(key="abc", table_numbers=["2"])

    made = await restaurant.request_reservation(key="abc", table_numbers=["1"])

    assert (refused.status, made.status) == (422, 201)


async def test_concurrent_requests_with_one_key_create_one_reservation(restaurant, published):
    replies = await asyncio.gather(*(restaurant.request_reservation(key="abc") for _ in range(20)))

    assert {reply.status for reply in replies} == {201}
    assert len({reply["id"] for reply in replies}) == 1
    assert len(await published()) == await restaurant.count_reservations() == 1
