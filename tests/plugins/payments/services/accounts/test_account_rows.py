"""Rows of payment accounts: credentials at rest, and the addresses of webhooks."""

import pytest
from comanda.platform.db import sql
from comanda_payments.services.accounts.account_rows import parse_account_ref
from hosted_checkout import KEY


async def test_key_is_stored_encrypted_and_never_returned(account, ask):
    assert account["mode"] == "test"
    assert account["external_id"] == "acct_own"
    for reply in (await ask(), await ask(f"/{account['id']}")):
        assert KEY not in str(reply.document)
        assert "credentials" not in str(reply.document)
    stored = await sql.fetch_value("SELECT credentials FROM payments_account WHERE id = $1", account["id"])
    assert stored.startswith("enc1.")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("12-5", (12, 5)),
        ("12", None),
        ("a-5", None),
        ("12-5-1", None),
        ("-5", None),
        (None, None),
        ("1-" + "9" * 30, None),
    ],
)
def test_reference_of_an_account_is_parsed(text, found):
    assert parse_account_ref(text) == found
