"""Menus as JSON."""


async def test_invalid_json_is_refused_with_its_line(store):
    path = f"/api/v1/restaurants/{store.id}/menu/import"
    headers = {**store.owner.auth, "Content-Type": "application/json"}
    for raw, sentence in (
        (b'{"menu": [\n  {"name": }\n]}', "Line 2, column 12"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"menu": [{"name": "\xff"}]}', "Line 1: this file is not UTF-8"),
        (b"", "Line 1, column 1"),
    ):
        response = await store.client.post(path, headers=headers, data=raw)
        assert response.status_code == 400, raw[:20]
        assert sentence in (await response.get_json())["message"]


async def test_prices_never_pass_through_a_float(store):
    raw = b'{"menu": [{"name": "A", "items": [{"name": "B", "price": 123456789.0100000000000000001}]}]}'
    path = f"/api/v1/restaurants/{store.id}/menu/import"
    response = await store.client.post(path, headers={**store.owner.auth, "Content-Type": "application/json"}, data=raw)

    # As a float this would be 123456789.01.
    assert response.status_code == 422
