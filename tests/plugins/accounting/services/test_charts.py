"""Charts of accounts."""

import pytest
from comanda_accounting.services.charts import CHARTS, ChartName, Purpose


@pytest.mark.parametrize("name", ChartName)
def test_chart_has_an_account_for_every_purpose_that_datev_takes(name):
    chart = CHARTS[name]

    assert chart.accounts.keys() == set(Purpose)
    assert all(len(each) == 4 and each.isdigit() for each in [*chart.accounts.values(), *chart.revenue.values()])
    assert chart.other_revenue or {190_000, 70_000, 0} <= chart.revenue.keys()
