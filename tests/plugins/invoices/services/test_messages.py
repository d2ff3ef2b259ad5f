"""The e-mail with the link to an invoice."""

from comanda.platform.db import sql

SELECT_MESSAGES = """
    SELECT address AS recipient, subject, text FROM notifications_message
    WHERE owner_id = $1 AND purpose = 'invoices.ready'
"""


async def test_link_is_sent_once_to_who_asked_for_it(guest, owner):
    await guest.request(email="buyer@example.com")
    await guest.request(email="another@example.com")

    (message,) = await sql.fetch(SELECT_MESSAGES, owner.id)
    assert message["recipient"] == "buyer@example.com"
    assert f"/invoice/{guest.token}" in message["text"]
    assert "INV-000001" in message["subject"]


async def test_address_that_takes_no_messages_does_not_stop_the_invoice(guest, owner, documents):
    assert (await guest.request(email="a@localhost"))[0] == 201

    assert len(await documents()) == 1
