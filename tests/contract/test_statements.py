"""Data has owners: what every statement in the sources may write and read, and how it is tied to an owner.

Statements that are composed when they run are checked as they run, by the fixture ``checked_statements`` of all tests.
Those of processes that tests start are not.
"""

import pytest
from comanda.platform.db.lifecycle import parse_credentials
from statement_analysis import analyze
from statement_rules import UNTIED, find_violations, get_tables
from statement_sources import find_statements

# Modules with beginnings of statements that are completed where they are used.
BEGINNINGS = {"comanda_drawer.services.shift_reports", "comanda_drivers.services.deliveries.driver_deliveries"}


@pytest.fixture(scope="module")
def statements():
    return list(find_statements())


@pytest.fixture(scope="module")
def tables(app, settings):
    return get_tables(parse_credentials(settings.database_url))


def test_there_is_something_to_test(statements):
    assert len(statements) > 400
    assert {each.module.partition(".")[0] for each in statements} >= {"comanda", "comanda_kds", "comanda_mcp_catalog"}


def test_statements_keep_to_their_owners(tables, statements):
    texts = [each.text.strip() for each in statements]
    broken = [
        f"{each.module}: {sentence} {' '.join(each.text.split())[:300]}"
        for each in statements
        for sentence in find_violations(each, tables)
        if "not tied" not in sentence or not (_is_part(each.text, texts) or each.module in BEGINNINGS)
    ]

    assert not broken, "\n".join(broken)


def _is_part(text, texts):
    return any(text.strip() in other and text.strip() != other for other in texts)


def test_exemptions_are_needed(tables, statements):
    """Each exemption is that of a statement in the sources, so that none outlives its reason."""
    untied = {(each.module, table) for each in statements for table in analyze(each.text, tables).untied}

    untied |= {(module, "*") for module, _ in untied}
    unneeded = sorted(set(UNTIED) - untied)
    assert not unneeded, unneeded
