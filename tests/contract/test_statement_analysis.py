"""Which statements the analysis takes as tied to an owner, and which it does not."""

import pytest
from comanda.stores.services import find_store
from pglast.parser import ParseError
from recorded_statements import RecordedStatement, recorder
from statement_analysis import UnknownStatement, analyze
from statement_rules import find_violations

TABLES = {
    "core_owner": frozenset({"id", "email"}),
    "core_store": frozenset({"id", "owner_id", "slug"}),
    "core_order": frozenset({"id", "owner_id", "store_id", "status"}),
    "core_order_v1": frozenset({"id", "owner_id", "store_id", "status"}),
    "kds_item": frozenset({"id", "owner_id", "order_id", "state"}),
}
TIED = [
    "SELECT id FROM core_order WHERE owner_id = $1",
    "SELECT id FROM core_order WHERE owner_id = ANY($1::bigint[]) AND status = $2",
    "SELECT id FROM core_order WHERE (id, owner_id) = ($1, $2)",
    "SELECT id FROM core_order WHERE (owner_id = $1 AND id = $2) OR (status = $3 AND owner_id = $1)",
    "SELECT 1 FROM core_order o JOIN kds_item i ON i.owner_id = o.owner_id AND i.order_id = o.id WHERE o.owner_id = $1",
    "SELECT 1 FROM core_order o JOIN kds_item i USING (owner_id) WHERE i.owner_id = $1",
    "SELECT 1 FROM core_order o LEFT JOIN kds_item i ON i.owner_id = o.owner_id WHERE o.owner_id = $1",
    "SELECT 1 FROM core_order o JOIN core_owner w ON w.id = o.owner_id WHERE w.id = $1",
    "SELECT 1 FROM unnest($1::bigint[], $2::bigint[]) AS g (id, owner) JOIN core_order o ON o.owner_id = g.owner",
    "SELECT 1 FROM (SELECT owner_id, id FROM core_order) o WHERE o.owner_id = $1",
    "SELECT FROM core_order o, LATERAL (SELECT FROM kds_item i WHERE i.owner_id = o.owner_id) n WHERE o.owner_id = $1",
    "SELECT (SELECT count(*) FROM kds_item i WHERE i.owner_id = o.owner_id) FROM core_order o WHERE o.owner_id = $1",
    "SELECT FROM core_order o WHERE EXISTS (SELECT FROM kds_item i WHERE i.owner_id = o.owner_id AND i.owner_id = $1)",
    "SELECT 1 FROM core_order WHERE (id, owner_id) IN (SELECT order_id, owner_id FROM kds_item WHERE owner_id = $1)",
    (
        "WITH o AS (SELECT id, owner_id FROM core_order WHERE owner_id = $1) "
        "SELECT 1 FROM o JOIN kds_item i ON i.order_id = o.id AND i.owner_id = o.owner_id"
    ),
    (
        "WITH RECURSIVE r AS (SELECT owner_id, id FROM core_order WHERE owner_id = $1 UNION ALL "
        "SELECT o.owner_id, o.id FROM core_order o JOIN r ON r.owner_id = o.owner_id) SELECT id FROM r"
    ),
    "INSERT INTO kds_item (owner_id, order_id) VALUES ($1, $2), ($1, $3)",
    "INSERT INTO kds_item (owner_id, order_id) SELECT owner_id, id FROM core_order WHERE owner_id = $1 RETURNING id",
    (
        "UPDATE kds_item i SET state = $1 FROM core_order o WHERE o.id = i.order_id AND o.owner_id = i.owner_id "
        "AND o.owner_id = $2"
    ),
    "DELETE FROM kds_item WHERE owner_id = $1",
]
UNTIED = {
    "SELECT id FROM core_order WHERE id = $1": {"core_order"},
    "SELECT id FROM core_order WHERE owner_id = $1 OR id = $2": {"core_order"},
    "SELECT id FROM core_order WHERE NOT (owner_id = $1)": {"core_order"},
    "SELECT id FROM core_order WHERE owner_id > $1": {"core_order"},
    "SELECT id FROM core_order WHERE owner_id = coalesce($1, owner_id)": {"core_order"},
    "SELECT id FROM core_order WHERE $1::bigint IS NULL OR owner_id = $1": {"core_order"},
    "SELECT 1 FROM core_order o JOIN kds_item i ON i.order_id = o.id WHERE o.owner_id = $1": {"kds_item"},
    "SELECT 1 FROM core_order o JOIN core_owner w ON w.id = o.owner_id WHERE w.email = $1": {"core_order"},
    "SELECT 1 FROM core_order o LEFT JOIN kds_item i ON i.owner_id = o.owner_id AND o.owner_id = $1": {
        "core_order",
        "kds_item",
    },
    "SELECT FROM core_order o WHERE o.owner_id = $1 AND NOT EXISTS (SELECT FROM kds_item i WHERE i.order_id = o.id)": {
        "kds_item"
    },
    "SELECT 1 FROM core_order o WHERE NOT EXISTS (SELECT FROM kds_item i WHERE i.owner_id = o.owner_id "
    "AND i.owner_id = $1)": {"core_order"},
    "SELECT 1 FROM (SELECT owner_id FROM core_order LIMIT 1) o WHERE o.owner_id = $1": {"core_order"},
    "WITH o AS (SELECT owner_id FROM core_order) SELECT 1 FROM o WHERE owner_id = $1": {"core_order"},
    "SELECT id FROM core_order WHERE owner_id = $1 UNION ALL SELECT id FROM kds_item": {"kds_item"},
    "INSERT INTO kds_item (order_id) VALUES ($1)": {"kds_item"},
    "INSERT INTO kds_item (owner_id, order_id) SELECT owner_id, id FROM core_order WHERE id = $1": {
        "core_order",
        "kds_item",
    },
    "UPDATE kds_item i SET state = $1 FROM core_order o WHERE o.owner_id = i.owner_id AND o.id = $2": {
        "core_order",
        "kds_item",
    },
    "DELETE FROM kds_item USING core_order o WHERE o.id = order_id AND o.owner_id = $1": {"kds_item"},
    "WITH gone AS (DELETE FROM kds_item RETURNING owner_id) SELECT 1 FROM gone WHERE owner_id = $1": {"kds_item"},
}


@pytest.mark.parametrize("statement", TIED)
def test_tied_statement_passes(statement):
    assert analyze(statement, TABLES).untied == frozenset()


@pytest.mark.parametrize("statement", UNTIED)
def test_untied_tables_are_found(statement):
    assert analyze(statement, TABLES).untied == UNTIED[statement]


def test_a_slug_ties_its_store_alone():
    joined = "SELECT 1 FROM core_store s JOIN core_order o ON o.owner_id = s.owner_id WHERE s.slug = $1"

    assert (
        analyze("SELECT id FROM core_store WHERE slug = $1", TABLES, {"core_store": frozenset({"slug"})}).untied
        == frozenset()
    )
    assert analyze(joined, TABLES, {"core_store": frozenset({"slug"})}).untied == {"core_order"}


def test_reads_and_writes_are_told_apart():
    found = analyze(
        "WITH new AS (INSERT INTO kds_item (owner_id) VALUES ($1) RETURNING owner_id) "
        "SELECT 1 FROM core_order o JOIN new ON new.owner_id = o.owner_id",
        TABLES,
    )

    assert (found.reads, found.writes) == ({"core_order"}, {"kds_item"})


@pytest.mark.parametrize("statement", ["TRUNCATE kds_item", "SELECT 1 FROM core_order NATURAL JOIN kds_item"])
def test_unknown_forms_are_refused(statement):
    with pytest.raises((UnknownStatement, ParseError)):
        analyze(statement, TABLES)


@pytest.mark.parametrize(
    ("module", "statement", "sentences"),
    [
        ("comanda.orders.queries", "SELECT 1 FROM core_order WHERE owner_id = $1", []),
        ("comanda_kds.services.board", "SELECT 1 FROM core_order_v1 WHERE owner_id = $1", []),
        ("comanda_kds.services.board", "SELECT 1 FROM core_order WHERE owner_id = $1", ["kds reads core_order, which"]),
        ("comanda_kds.services.board", "DELETE FROM core_order WHERE owner_id = $1", ["kds writes core_order, which"]),
        ("comanda_goods.services.x", "SELECT 1 FROM kds_item WHERE owner_id = $1", ["goods reads kds_item, which"]),
        ("comanda_kds.services.x", "UPDATE kds_item SET state = $1 WHERE id = $2", ["Rows of kds_item are not tied"]),
        # Core runs on a plugin's table what that plugin gave it.
        ("comanda.orders.erasure", "SELECT 1 FROM kds_item WHERE owner_id = $1", []),
        ("comanda_kds.services.x", "TRUNCATE kds_item", ["It cannot be analyzed"]),
    ],
)
def test_rules_name_app_and_table(module, statement, sentences):
    found = list(find_violations(RecordedStatement(statement, module), TABLES))

    assert [one for one, beginning in zip(found, sentences, strict=True) if not one.startswith(beginning)] == []


async def test_statements_are_recorded_with_their_module(owner, store_id):
    recorder.take()
    recorder._known.clear()

    await find_store(owner.id, store_id)

    taken = recorder.take()
    assert [each.module for each in taken] == ["comanda.stores.services"]
    assert 'FROM "core_store"' in taken[0].text
