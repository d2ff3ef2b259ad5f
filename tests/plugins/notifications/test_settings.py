"""Settings of notifications."""

import re

import pytest
from comanda_notifications import settings
from comanda_notifications.plugin import register_docs
from comanda_notifications.settings import NotificationSettings
from pydantic import ValidationError

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@pytest.mark.parametrize(
    "url", ["shop.example/{token}", "https://shop.example/", "javascript:{token}", "http://{token}{token}"]
)
def test_tracking_url_must_contain_token(url):
    with pytest.raises(ValueError, match="contain"):
        settings.NotificationSettings(tracking_url=url)


def test_chapter_lists_all_settings_with_defaults():
    [chapter] = register_docs()
    listed = dict(re.findall(r"^\| `COMANDA_NOTIFICATIONS_(\w+)` \| ([^|]*?) \|", chapter.text, re.MULTILINE))

    fields = NotificationSettings.model_fields
    assert listed == {name.upper(): "" if one.default is None else str(one.default) for name, one in fields.items()}


@pytest.mark.parametrize(
    "values",
    [
        {"smtp_url": "http://mail.example.com", "email_from": "a@example.com"},
        {"smtp_url": "smtp://", "email_from": "a@example.com"},
        {"smtp_url": "smtp://host:x", "email_from": "a@example.com"},
        {"smtp_url": "smtp://mail.example.com"},
        {"smtp_url": "smtp://mail.example.com", "email_from": "nobody"},
        {"sms_url": "http://gateway.example.com", "gateway_secret": SECRET},
        {"push_url": "https://", "gateway_secret": SECRET},
        {"sms_url": "https://gateway.example.com"},
        {"sms_url": "https://gateway.example.com", "gateway_secret": "whsec_short"},
        {"sms_url": "https://gateway.example.com", "gateway_secret": SECRET.removeprefix("whsec_")},
    ],
)
def test_invalid_settings_are_rejected(values):
    with pytest.raises(ValidationError) as refused:
        NotificationSettings(**values)

    # What is refused may hold a password.
    assert all(str(value) not in problem["msg"] for problem in refused.value.errors() for value in values.values())


def test_secrets_are_hidden():
    created = NotificationSettings(
        smtp_url="smtp://u:hunter2@mail.example.com", email_from="a@example.com", sms_url="http://[::1]:9/x",
        gateway_secret=SECRET,
    )  # fmt: skip

    assert "hunter2" not in repr(created)
    assert SECRET not in repr(created)
