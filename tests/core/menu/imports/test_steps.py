"""The steps of an import."""

from datetime import UTC, datetime

import pytest
from comanda.menu.imports.plan import ImportTerms
from comanda.menu.imports.rows import NewRows, RowKind
from comanda.menu.imports.steps import ImportFile, ImportSteps
from comanda.menu.reading.queries import MENU_TEXTS

TERMS = ImportTerms("EUR", counts_stock=False, field_sets=[], site_url="http://comanda.test", max_items=1000)
EMPTY = dict.fromkeys(MENU_TEXTS, "[]")


def plan(file):
    steps = ImportSteps()
    steps.parse(TERMS, file)
    return steps, steps.plan(EMPTY, datetime.now(UTC), set())


@pytest.mark.parametrize(("given", "is_dry_run"), [(None, True), (False, False), (True, True)])
def test_options_of_the_request_replace_those_of_the_file(given, is_dry_run):
    file = ImportFile(b'{"menu": [], "dry_run": true}', is_table=False, dry_run=given)

    assert ImportSteps().parse(TERMS, file).is_dry_run is is_dry_run


def test_rows_come_a_few_items_at_a_time_after_the_category_they_are_in():
    rows = "".join(f"A,Dish {number},1\n" for number in range(450))
    steps, summary = plan(ImportFile(f"category,name,price\n{rows}".encode(), is_table=True))
    steps.begin_rows(NewRows([1], list(range(2, 452)), [], {kind: {} for kind in RowKind}))

    parts = list(iter(steps.build_rows, None))

    assert (summary.new_categories, summary.new_items, summary.written_items) == (1, 450, 450)
    assert [part.items for part in parts] == [200, 200, 50]
    assert [kind for kind, _ in parts[0].rows] == [RowKind.NEW_CATEGORIES, RowKind.NEW_ITEMS]
    assert [entity_id for part in parts for *_, entity_id in part.changes] == list(range(1, 452))
