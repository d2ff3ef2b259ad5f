"""Features and their sources in words."""

import pytest
from comanda_entitlements.pages.feature_texts import describe_features

FEATURE = {"feature_key": "stores", "label": "Stores", "granted": True, "quota": 10, "used": 3, "sources": []}


@pytest.mark.parametrize(("used", "tone"), [(3, "good"), (8, "warn"), (10, "bad"), (12, "bad")])
def test_tone_warns_before_the_limit(used, tone):
    [text] = describe_features([{**FEATURE, "used": used}])

    assert text.tone == tone


def test_feature_of_an_app_has_its_name():
    source = {"source_type": "app", "source_id": "7", "quota": None, "expires_at": None}
    feature = {**FEATURE, "feature_key": "app:2", "label": "app:2", "quota": None, "used": None, "sources": [source]}

    [known] = describe_features([feature], {"7": "Loyalty Cards"})
    [unknown] = describe_features([feature])

    assert (known.label, known.sources[0].href) == ("App Loyalty Cards", "/dashboard/apps/installed/7")
    assert (unknown.label, unknown.sources[0].href, unknown.sources[0].name) == ("app:2", None, "")


def test_default_plan_has_no_name():
    source = {"source_type": "plan", "source_id": "default", "quota": None, "expires_at": None}

    [text] = describe_features([{**FEATURE, "sources": [source]}])

    assert (text.sources[0].label, text.sources[0].name) == ("Plan", "")
