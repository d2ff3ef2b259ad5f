"""Keyed hashes: one text, one hash, and only here."""

import hashlib

from comanda.platform import encryption
from comanda.platform.db import sql
from comanda.platform.encryption import hmac_digest


async def test_the_same_texts_have_the_same_hash_and_others_another(app):
    first = await hmac_digest.hmac_digest("drivers.pin", "1234")

    assert first == await hmac_digest.hmac_digest("drivers.pin", "1234")
    assert len(first) == 32
    others = [("drivers.pin", "1235"), ("staff.pin", "1234"), ("drivers.pin1234",), ("drivers.pin", "1234", "")]
    assert first not in [await hmac_digest.hmac_digest(*parts) for parts in others]


async def test_no_text_stands_for_two(app):
    assert await hmac_digest.hmac_digest("a", "b\0c") != await hmac_digest.hmac_digest("a\0b", "c")
    assert await hmac_digest.hmac_digest("", "a") != await hmac_digest.hmac_digest("a", "")


async def test_any_text_has_a_hash(app):
    assert len({await hmac_digest.hmac_digest(text) for text in ("", "\0", "\ud800", "ß", "x" * 100_000)}) == 5


async def test_it_takes_this_installations_key(app):
    stored = await sql.fetch_value("SELECT key FROM core_secret WHERE id = 1")

    assert stored.startswith("enc1.")
    key = bytes.fromhex(encryption.decrypt(stored, hmac_digest.KEY_COLUMN, 1))
    assert len(key) == 32
    assert await sql.fetch_value("SELECT count(*) FROM core_secret") == 1
    assert await hmac_digest.hmac_digest("1234") not in {hashlib.sha256(b"1234").digest(), hashlib.sha256(key).digest()}
