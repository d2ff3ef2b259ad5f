"""Severity of findings."""

from comanda.devkit.authoring.findings import RULES, Finding, list_errors


def test_a_table_of_no_owner_is_only_a_warning():
    assert RULES["table-owner"].severity.value == "warning"
    assert list_errors([Finding("a.py", 1, "table-owner", "x")]) == []
    assert list_errors([Finding("a.py", 1, "table-key", "x")]) != []


def test_fixes_send_nobody_into_files_of_core():
    assert [
        rule for rule, each in RULES.items() if "comanda/" in each.fix and "comanda/base.html" not in each.fix
    ] == []
