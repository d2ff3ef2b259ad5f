"""The configuration of apps."""

import re

import pytest
from comanda.basics import NotFound
from comanda_mobile.services.configuration import get_configuration, get_path_configuration
from comanda_mobile.settings import get_settings


def test_versions_of_a_platform_come_before_the_general_ones(app, monkeypatch):
    monkeypatch.setattr(get_settings(), "ios_min_version", "2.0.0")

    assert get_configuration("ios").min_version == "2.0.0"
    assert get_configuration("android").min_version == get_settings().min_version
    assert get_configuration(None).platform is None


def test_features_of_the_operator_are_on(app, monkeypatch):
    monkeypatch.setattr(get_settings(), "features", ["dark_mode"])

    features = get_configuration(None).features

    assert (features["dark_mode"], features["handoff"]) == (True, True)


@pytest.mark.parametrize(
    ("path", "context"), [("/sign-in?next=/app/home", "modal"), ("/pay/5", "modal"), ("/app/home", "default")]
)
@pytest.mark.parametrize("platform", ["ios", "android"])
def test_later_rules_override_earlier_ones(app, platform, path, context):
    properties = {}
    for rule in get_path_configuration(platform).rules:
        if any(re.search(pattern, path) for pattern in rule.patterns):
            properties |= rule.properties

    assert properties["context"] == context
    assert ("uri" in properties) is (platform == "android")


def test_other_platforms_have_no_path_configuration(app):
    with pytest.raises(NotFound):
        get_path_configuration("windows")
