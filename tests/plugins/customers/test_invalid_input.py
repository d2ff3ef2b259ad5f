"""Invalid input of customers never causes a server error."""

import copy

import pytest
from comanda.devkit.testing import line

INVALID_VALUES = [
    None, True, 0, -1, 2**31, 2**53, 2**63, 10**400, 0.1, 1e-320, 1.7e308, "", " ", "0", "NaN", "\x00", "a\x00b",
    "\u202e", "\ufeff", "é" * 300, "x" * 5000, "\ufdfa" * 500, "2026-02-30", "9999-12-31", "0001-01-01", [], [[]],
    [None], {}, {"": ""}, {"a": {"b": []}}, "'; DROP TABLE core_owner; --", "%s{0}",
]  # fmt: skip
ADDRESS = {
    "label": "Home", "address": "Rossio", "line1": "Rua da Prata 8", "line2": "2", "city": "Lisboa", "region": "x",
    "postcode": "1100-420", "country": "PT", "lat": 38.7, "lng": -9.1, "instructions": "Ring", "is_default": True,
}  # fmt: skip
PROFILE = {
    "name": "Ada", "email": "ada@example.com", "phone": "+351912345678", "birthday": "1990-02-28", "locale": "pt",
    "consents": {"terms": True, "terms_at": "2026-01-01T00:00:00Z"}, "code": "123456",
}  # fmt: skip


def variations(document):
    """Return the document with each value replaced by each invalid one."""
    for key, inner in document.items():
        for value in INVALID_VALUES:
            yield {**document, key: value}
        if isinstance(inner, dict):
            for one in variations(inner):
                yield {**copy.deepcopy(document), key: one}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "/me", PROFILE), ("DELETE", "/me", {"password": "wrong", "code": "1"}), ("POST", "/addresses", ADDRESS),
        ("PUT", "/addresses/{id}", ADDRESS), ("POST", "/orders", {"type": "delivery", "address_id": 1, "note": "x"}),
    ],
)  # fmt: skip
async def test_invalid_values_cause_no_server_error(ada, soup, method, path, body):
    saved = await ada.send("POST", "/addresses", {"line1": "Home"})
    if path == "/orders":
        body = {**body, "items": [line(soup)]}
    for number, changed in enumerate(variations(body)):
        reply = await ada.send(method, path.replace("{id}", str(saved["id"])), changed)
        assert reply.status < 500, (number, changed, reply)


BODIES = [b"", b"[]", b"{", b"null", b"[" * 50_000, b'{"name": "\xff"}', b'{"name": "\\ud800"}']


async def test_invalid_bodies_cause_no_server_error(ada, client, subtests):
    for body in BODIES:
        with subtests.test(body=body):
            headers = {"Authorization": f"Bearer {ada.token}", "Content-Type": "application/json"}
            for method, path in (("PUT", "/me"), ("DELETE", "/me"), ("POST", "/addresses"), ("POST", "/orders")):
                response = await client.open(f"/api/v1/customer{path}", method=method, headers=headers, data=body)
                assert response.status_code < 500


IDS = ["0", "-1", "x", "1.0", "9" * 30, "%00", "%ff"]


async def test_invalid_ids_cause_no_server_error(ada, subtests):
    for id in IDS:
        with subtests.test(id=id):
            for method, path in (("PUT", "/addresses"), ("DELETE", "/addresses"), ("GET", "/orders")):
                body = {"line1": "x"} if method == "PUT" else None
                assert (await ada.send(method, f"{path}/{id}", body)).status == 404
