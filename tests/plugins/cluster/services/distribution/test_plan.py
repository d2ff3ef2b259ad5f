"""Where tables belong in a cluster, derived from their columns and keys."""

from comanda_cluster.services.distribution.catalog import ExclusionRule, ForeignKey, Table, UniqueKey
from comanda_cluster.services.distribution.plan import Placement, build_plan, to_cluster_rule


def table(name, *, owner="bigint", targets=(), keys=(), **options):
    """Return a table with a primary key of its owner and foreign keys to ``targets``."""
    unique_keys = (
        UniqueKey(f"{name}_pkey", frozenset({"id", "owner_id"} if owner else {"id"})),
        *[UniqueKey(f"{name}_key", frozenset(columns)) for columns in keys],
    )
    foreign = tuple(ForeignKey(f"{name}_{target}", target, "", pairs_owner=True) for target in targets)
    return Table(name, owner, unique_keys=unique_keys, foreign_keys=foreign, **options)


def plan_of(*tables):
    plan = build_plan({each.name: each for each in tables})
    return {each.table.name: each.placement for each in plan.tables}, plan


def test_rows_of_owners_are_distributed():
    assert plan_of(table("a_order"))[0] == {"a_order": Placement.DISTRIBUTED}


def test_what_is_unique_over_all_owners_is_on_each_node():
    places, plan = plan_of(table("a_token", keys=[{"token_hash"}]))

    assert places == {"a_token": Placement.REFERENCE}
    assert plan.tables[0].reason == "a_token_key is unique over all owners"


def test_what_a_reference_table_refers_to_is_one_too():
    places, _ = plan_of(
        table("a_plan", targets=["a_account"]),
        table("a_account"),
        table("a_customer", keys=[{"email"}], targets=["a_plan"]),
    )

    assert set(places.values()) == {Placement.REFERENCE}


def test_table_without_owner_stays_on_the_coordinator():
    assert plan_of(table("b_setting", owner=None))[0] == {"b_setting": Placement.LOCAL}


def test_table_without_owner_is_on_each_node_if_owners_rows_refer_to_it():
    places, plan = plan_of(table("core_owner", owner=None), table("a_order", targets=["core_owner"]))

    assert places == {"core_owner": Placement.REFERENCE, "a_order": Placement.DISTRIBUTED}
    assert [each.table.name for each in plan.pending] == ["core_owner", "a_order"]


def test_rows_of_other_owners_are_on_each_node():
    key = ForeignKey("b_use_app", "b_app", "", pairs_owner=False)
    places, _ = plan_of(table("b_app"), Table("b_use", "bigint", foreign_keys=(key,)))

    assert places == {"b_app": Placement.REFERENCE, "b_use": Placement.DISTRIBUTED}


def test_rows_that_may_lack_an_owner_stay_on_the_coordinator():
    places, _ = plan_of(table("b_log", has_every_owner=False), table("b_text", owner="text"))

    assert set(places.values()) == {Placement.LOCAL}


def test_table_without_owner_must_not_refer_to_rows_of_owners():
    _, plan = plan_of(table("a_order"), table("b_note", owner=None, targets=["a_order"]))

    assert plan.problems == (
        (
            "b_note stays on the coordinator (has no owner), but refers to a_order, which is distributed. "
            "Add owner_id to it."
        ),
    )


def test_table_that_is_elsewhere_is_a_problem():
    _, plan = plan_of(table("a_order", placement="reference"))

    assert plan.problems == ("a_order is a reference table, but belongs to the distributed ones: by owner_id.",)


def test_what_is_done_is_not_pending():
    _, plan = plan_of(table("a_order", placement="distributed"), table("b_setting", owner=None))

    assert plan.pending == ()


def test_exclusion_compares_owners_as_citus_requires():
    rule = ExclusionRule(
        "once", "EXCLUDE USING gist (int8range(owner_id, owner_id, '[]'::text) WITH &&, tstzrange(a, b) WITH &&)"
    )

    assert to_cluster_rule(rule) == "EXCLUDE USING gist (owner_id WITH =, tstzrange(a, b) WITH &&)"
    assert plan_of(table("a_seat", exclusion_rules=(rule,)))[0] == {"a_seat": Placement.DISTRIBUTED}


def test_exclusion_over_all_owners_needs_all_rows_on_each_node():
    rule = ExclusionRule("once", "EXCLUDE USING gist (tstzrange(a, b) WITH &&)")

    assert to_cluster_rule(rule) is None
    assert plan_of(table("a_seat", exclusion_rules=(rule,)))[0] == {"a_seat": Placement.REFERENCE}


def test_partitioned_tables_are_not_distributed():
    _, plan = plan_of(table("core_outbox", is_partitioned=True))

    assert plan.problems == ("core_outbox is partitioned (`comanda partitions`), which is not supported on a cluster.",)
