"""Charts that the server draws."""

import itertools
import re

from comanda.web.dashboard.charts import Series, bar_chart, line_chart, sparkline


def list_heights(svg):
    return [float(height) for height in re.findall(r'<rect class="bar[^>]* height="([\d.]+)"', svg)]


def test_bars_are_as_high_as_their_values():
    chart = bar_chart("Sales", ["Mon", "Tue"], Series("This week", [10, 5]), Series("Last week", [0, 10]))

    full, half, nothing, other = list_heights(chart.svg)
    assert (full, half, nothing) == (other, full / 2, 0)
    assert chart.svg.count('class="bar second"') == 2
    assert (chart.columns, chart.rows) == (
        ("Sales", "This week", "Last week"),
        (("Mon", "10", "0"), ("Tue", "5", "10")),
    )
    assert chart.legend == (("first", "This week"), ("second", "Last week"))


def test_scale_of_counts_has_whole_numbers():
    chart = bar_chart("Customers", ["Active", "Suspended"], Series("Customers", [1, 0]))

    assert re.findall(r">([\d.,]+)</text>", chart.svg) == ["1"]


def test_scale_has_round_numbers_from_zero_to_above_the_highest_value():
    for highest, last in ((2050, "2,500"), (61, "80"), (3, "3"), (0.7, "0.8"), (1_000_000, "1,000,000")):
        chart = bar_chart("Sales", ["Mon"], Series("x", [highest]))

        assert f">{last}</text>" in chart.svg, highest


def test_each_bar_and_label_says_its_values_to_a_pointer():
    bars = bar_chart("Sales", ["Mon"], Series("Now", [1]), Series("Before", [2]), texts=[["€1", "€2"]])
    line = line_chart("Sales", ["Mon", "Tue"], Series("Now", [1, 2]), texts=[["€1"], ["€2"]])

    assert "<title>Mon · Now: €1</title>" in bars.svg
    assert "<title>Tue: €2</title>" in line.svg


def test_line_has_a_gap_where_a_value_is_missing():
    chart = line_chart("Sales", ["1", "2", "3", "4"], Series("x", [1, None, 3, 4]))

    assert chart.svg.count("<polyline") == 2
    assert chart.rows[1] == ("2", "")


def test_labels_do_not_overlap():
    days = [f"{day} Nov 2026" for day in range(1, 31)]

    for draw in (bar_chart, line_chart):
        svg = draw("Sales", days, Series("x", range(30))).svg
        shown = re.findall(r'<text(?: class="odd")? x="([\d.]+)%" y="\d+" text-anchor="(\w+)">[^<]+ Nov', svg)
        starts = [float(place) - {"start": 0, "middle": 7, "end": 14}[anchor] for place, anchor in shown]
        assert len(shown) >= 4
        assert all(later - earlier >= 14 for earlier, later in itertools.pairwise(starts)), (draw, shown)


def test_labels_are_escaped():
    chart = line_chart("<script>", ["<b>"], Series("x", [1]), texts=[["€1"]])

    assert "<script>" not in chart.svg
    assert "&lt;b&gt;" in chart.svg
    assert chart.rows == (("<b>", "€1"),)


def test_charts_have_no_inline_styles():
    chart = line_chart("Sales", ["a", "b"], Series("x", [1, 2]), Series("y", [2, 1]))

    assert "style=" not in chart.svg + sparkline("Sales", [1, 2, 3])


def test_chart_without_values_is_empty():
    assert line_chart("Sales", [], Series("x", [])).rows == ()
    assert bar_chart("Sales", ["Mon"], Series("x", [0])).rows == (("Mon", "0"),)
    assert "<polyline" not in sparkline("Sales", [])


def test_sparkline_goes_from_the_lowest_to_the_highest_value():
    assert 'points="0.00,32.0 50.00,18.0 100.00,4.0"' in sparkline("Sales", [10, 15, 20])
    assert 'points="0.00,32.0 100.00,32.0"' in sparkline("Sales", [7, 7])
