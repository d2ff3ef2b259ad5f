"""Schemas of sections."""

from time import process_time

import pytest
from comanda_themes.services.checks.validation import validate_theme

from ...conftest import SECONDS, SECTION

# A machine under load is slow; an algorithm that is not linear takes minutes.


@pytest.mark.parametrize(
    "document",
    [
        "[" * 500_000,
        '{"a":' * 100_000,
        "1" * 500_000,
        '"' + "\\" * 500_000,
        "[" + "1," * 240_000 + "1]",
        "{" + ",".join(f'"k{number}":1' for number in range(40_000)) + "}",
    ],
)
def test_hostile_json_takes_bounded_time(document):
    files = {"config/settings_schema.json": document, SECTION: "{% schema %}" + document + "{% endschema %}"}
    started = process_time()

    report = validate_theme(files)

    assert process_time() - started < SECONDS
    assert len(report.findings) <= 500
