"""Processes of imports."""

import os

import pytest
from comanda.basics.errors import ValidationFailed
from comanda.menu.imports.plan import ImportTerms
from comanda.menu.imports.step_runners import open_runner
from comanda.menu.imports.steps import ImportFile, ImportSteps

TERMS = ImportTerms("EUR", counts_stock=False, field_sets=[], site_url="http://comanda.test", max_items=1)


async def test_a_process_answers_with_errors_and_ends_with_its_import():
    async with open_runner(is_large=True) as runner:
        with pytest.raises(ValidationFailed) as refused:
            await runner.run(ImportSteps.parse, TERMS, ImportFile(b"category,name,price\nA,B,x\n", is_table=True))
        parsed = await runner.run(
            ImportSteps.parse, TERMS, ImportFile(b'{"menu": [], "dry_run": true}', is_table=False)
        )
        process_id = runner._process.pid

    assert list(refused.value.errors) == ["line.2.price"]
    assert str(refused.value) == "Must be a number such as 9.50, with at most 2 decimals."
    assert parsed.is_dry_run
    with pytest.raises(ProcessLookupError):
        os.kill(process_id, 0)
