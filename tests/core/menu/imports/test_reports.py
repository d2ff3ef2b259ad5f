"""Reports of imports."""

from datetime import UTC, datetime

from comanda.menu.imports.plan import ImportTerms
from comanda.menu.imports.reports import MAX_LISTED_CHANGES
from comanda.menu.imports.steps import ImportFile, ImportSteps
from comanda.menu.reading.queries import MENU_TEXTS

TERMS = ImportTerms("EUR", counts_stock=False, field_sets=[], site_url="http://comanda.test", max_items=1000)


def test_all_changes_are_counted_and_the_first_ones_listed():
    rows = "".join(f"A,Dish {number},1\n" for number in range(600))
    steps = ImportSteps()
    steps.parse(TERMS, ImportFile(f"category,name,price\n{rows}".encode(), is_table=True))
    steps.plan(dict.fromkeys(MENU_TEXTS, "[]"), datetime.now(UTC), set())

    report = steps.report()

    assert (report.categories.created, report.items.created) == (1, 600)
    assert len(report.changes) == MAX_LISTED_CHANGES
    first, second = report.changes[:2]
    assert (first.entity, first.line, first.price) == ("category", 2, None)
    assert (second.entity, second.name, second.line, second.price, second.id) == ("item", "Dish 0", 2, 1.0, None)
