"""The URLs of the operator."""

import pytest
from comanda_apprise.settings import AppriseSettings
from pydantic import ValidationError


def test_urls_contain_the_recipient_once():
    accepted = AppriseSettings(sms_url="twilio://sid:token@+15017122661/{to}")

    assert accepted.sms_url.get_secret_value().endswith("/{to}")
    for url in ("twilio://sid:token@+15017122661", "json://host/{to}/{to}", "{to}"):
        with pytest.raises(ValidationError, match=r"contains \{to\} once"):
            AppriseSettings(push_url=url)
