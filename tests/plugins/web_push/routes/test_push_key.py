"""The key with which browsers subscribe: a point of the curve, the same for all owners and processes."""

from base64 import urlsafe_b64decode

from cryptography.hazmat.primitives.asymmetric import ec


async def test_key_is_a_point_that_stays_the_same(client):
    first, second = [await (await client.get("/api/v1/web-push/key")).get_json() for _ in range(2)]

    point = urlsafe_b64decode(first["public_key"] + "=")
    assert first == second
    assert ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point).curve.name == "secp256r1"
