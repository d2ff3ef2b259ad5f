"""The command that recounts orders."""

import pytest
from click.testing import CliRunner
from comanda.cli import session
from comanda_analytics.commands import analytics


@pytest.mark.parametrize(("given", "stores", "said"), [(["--store", "7"], 1, "1 store."), ([], 3, "3 stores.")])
def test_rebuild_reports_number_of_stores(monkeypatch, given, stores, said):
    monkeypatch.setattr(session, "call", lambda work, data: stores)

    result = CliRunner().invoke(analytics, ["rebuild", *given])

    assert result.exit_code == 0
    assert said in result.output
