"""The union of sources, by itself."""

from comanda.contracts import Entitlement, Feature
from comanda_entitlements.services.union import get_entitlement, merge_grants, merge_plans

CRM = Feature("crm_suite", "CRM suite")
STORES = Feature("stores", "Stores", quota_unit="stores", is_limit=True)
NOT_GRANTED = Entitlement(is_granted=False)


def test_most_generous_quota_counts():
    assert merge_grants([{"a": 1, "b": 5, "c": 0}, {"a": 3, "b": None, "c": 0}]) == {"a": 3, "b": None, "c": 0}


def test_no_plan_is_none_and_empty_plan_is_one():
    assert merge_plans([], ["stores"]) is None
    assert merge_plans([{}], []) == {}


def test_plan_without_a_limit_leaves_it_unlimited():
    assert merge_plans([{"stores": 2}, {"items": 9}], ["stores", "items"]) == {"stores": None, "items": None}
    assert merge_plans([{"stores": 2}, {"stores": 7}], ["stores"]) == {"stores": 7}


def test_without_a_plan_everything_declared_is_granted():
    assert get_entitlement("crm_suite", CRM, None, {}) == Entitlement()
    assert get_entitlement("stores", STORES, None, {"stores": 1}) == Entitlement()


def test_undeclared_feature_is_granted_by_name_alone():
    assert get_entitlement("app:loyalty", None, None, {}) == NOT_GRANTED
    assert get_entitlement("app:loyalty", None, None, {"app:loyalty": None}) == Entitlement()


def test_plan_leaves_out_features_that_it_does_not_name():
    assert get_entitlement("crm_suite", CRM, {}, {}) == NOT_GRANTED
    assert get_entitlement("crm_suite", CRM, {}, {"crm_suite": None}) == Entitlement()


def test_addition_raises_a_limit_and_never_lowers_it():
    assert get_entitlement("stores", STORES, {"stores": 2}, {"stores": 5}) == Entitlement(quota=5)
    assert get_entitlement("stores", STORES, {"stores": 2}, {"stores": 1}) == Entitlement(quota=2)
    assert get_entitlement("stores", STORES, {}, {"stores": 1}) == Entitlement()
