"""E-mails about accounts."""

import asyncio

import pytest
from comanda.accounts.owners import messages
from comanda.contracts import Sender


@pytest.mark.parametrize(
    ("languages", "subject"),
    [
        (["de-AT", "en"], "Wählen Sie ein neues Passwort"),
        (["xx", "fr"], "Choisissez un nouveau mot de passe"),
        (["xx"], "Choose a new password"),
        ([], "Choose a new password"),
    ],
)
async def test_email_is_in_the_first_language_there_is(sent_messages, languages, subject):
    values = {"name": "{link}", "link": "http://comanda.test/sign-in/reset/x", "brand": "Norte"}

    messages.send_email(
        messages.PASSWORD_RESET, "ana@example.com", values, languages, Sender("Norte", "a@norte.example")
    )
    await asyncio.gather(*messages._sending)

    [sent] = sent_messages.messages
    assert (sent.channel, sent.to, sent.subject) == ("email", "ana@example.com", subject)
    assert sent.sender == Sender("Norte", "a@norte.example")
    assert "Norte" in sent.text
    assert sent.text.count("http://comanda.test/sign-in/reset/x") == 1
