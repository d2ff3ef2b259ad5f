"""Charts as SVG that the server draws, with their numbers as a table beside them.

    chart = line_chart(_("Sales"), days, Series(_("This week"), values), texts=[[amount] for amount in amounts])

``ui.chart(chart)`` shows it. Shapes are placed in percent of the width, so that labels keep their size on every screen;
colours are classes of the design system.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup, escape

from comanda.web.formats import format_number
from comanda.web.trusted_html import trust_html

# In pixels, as high as the class "chart" makes the element; a chart that a phone shows lower is cut to scale.
HEIGHT: Final = 224
TOP: Final = 18
BOTTOM: Final = 24
MAX_TICKS: Final = 5
# In pixels: what a letter of a label takes, and how wide a chart is at least on a desk and on a phone.
LETTER_WIDTH: Final = 6.5
LABEL_GAP: Final = 14
DESK_WIDTH: Final = 560
PHONE_WIDTH: Final = 300
KINDS: Final = ("first", "second", "third", "fourth")


@dataclass(frozen=True, slots=True)
class Series:
    """Values of one thing, in the order of the chart's labels; None is a gap."""

    title: str
    values: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawn chart: its SVG, the table with the same numbers, and the titles of its series if there are several."""

    svg: Markup
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    legend: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Drawing:
    """What all kinds of charts share: the scale, and the texts of each value."""

    title: str
    labels: Sequence[str]
    series: Sequence[Series]
    texts: Sequence[Sequence[str]]
    ticks: Sequence[float]
    format_tick: Callable[[float], str]

    @property
    def highest(self) -> float:
        return self.ticks[-1]

    def get_text(self, position: int, number: int) -> str:
        if self.texts:
            return self.texts[position][number]
        value = _get_value(self.series[number], position)
        return "" if value is None else format_number(value)

    def to_y(self, value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * max(value, 0) / self.highest


def bar_chart(
    title: str,
    labels: Sequence[str],
    *series: Series,
    texts: Sequence[Sequence[str]] = (),
    format_tick: Callable[[float], str] = format_number,
) -> Chart:
    """Draw bars, those of several series side by side.

    ``texts`` are the cells of the table by row, if not the values; ``format_tick`` writes the numbers of the scale.
    """
    drawing = _create_drawing(title, labels, series, texts, format_tick)
    step = 100 / max(len(labels), 1)
    width = step * 0.7 / max(len(series), 1)
    parts = []
    for number, each in enumerate(series):
        for position in range(len(labels)):
            value = _get_value(each, position) or 0
            y = drawing.to_y(value)
            x = step * position + step * 0.15 + width * number
            parts.append(
                _fill(
                    '<rect class="bar {}" x="{:.3f}%" y="{:.1f}" width="{:.3f}%" height="{:.1f}" rx="2">'
                    "<title>{}</title></rect>",
                    KINDS[number % 4],
                    x,
                    y,
                    width,
                    HEIGHT - BOTTOM - y,
                    _describe(drawing, position, number),
                )
            )
    return _finish(drawing, parts, [step * (number + 0.5) for number in range(len(labels))])


def line_chart(
    title: str,
    labels: Sequence[str],
    *series: Series,
    texts: Sequence[Sequence[str]] = (),
    format_tick: Callable[[float], str] = format_number,
) -> Chart:
    """Draw lines, the first with the area below it; ``texts`` and ``format_tick`` are those of ``bar_chart``."""
    drawing = _create_drawing(title, labels, series, texts, format_tick)
    places = _spread(len(labels))
    lines = []
    for number, each in enumerate(series):
        for run in _list_runs(each, len(labels)):
            points = [f"{places[position]:.2f},{drawing.to_y(value):.1f}" for position, value in run]
            if number == 0:
                ground = f"{HEIGHT - BOTTOM}"
                corners = [f"{places[run[0][0]]:.2f},{ground}", *points, f"{places[run[-1][0]]:.2f},{ground}"]
                lines.append(_fill('<polygon class="area" points="{}"></polygon>', " ".join(corners)))
            lines.append(
                _fill('<polyline class="line {}" points="{}"></polyline>', KINDS[number % 4], " ".join(points))
            )
    # The lines are stretched to the width; their strokes are not.
    stretched = _fill(
        '<svg x="0" y="0" width="100%" height="{}" viewBox="0 0 100 {}" preserveAspectRatio="none">{}</svg>',
        HEIGHT,
        HEIGHT,
        Markup("").join(lines),
    )
    return _finish(drawing, [stretched, *_draw_spots(drawing, places)], places)


def sparkline(title: str, values: Sequence[float | None]) -> Markup:
    """Draw a small line without scale, such as beside a figure; ``title`` says what it shows."""
    known = [value for value in values if value is not None]
    lowest, highest = min(known, default=0), max(known, default=0)
    height = (highest - lowest) or 1
    places = _spread(len(values))
    lines = [
        _fill(
            '<polyline class="line" points="{}"></polyline>',
            " ".join(f"{places[place]:.2f},{32 - 28 * (value - lowest) / height:.1f}" for place, value in run),
        )
        for run in _list_runs(Series(title, values), len(values))
    ]
    return _fill(
        '<svg class="chart small" viewBox="0 0 100 36" preserveAspectRatio="none" role="img" aria-label="{}">{}</svg>',
        title,
        Markup("").join(lines),
    )


def _fill(template: str, *values: object) -> Markup:
    """Return HTML with values in its placeholders, in which texts are escaped.

    ``Markup.format`` does the same, but parses the template in Python.
    """
    return trust_html(template.format(*(escape(value) if isinstance(value, str) else value for value in values)))


def _create_drawing(
    title: str,
    labels: Sequence[str],
    series: Sequence[Series],
    texts: Sequence[Sequence[str]],
    format_tick: Callable[[float], str],
) -> _Drawing:
    values = [value for each in series for value in each.values if value is not None]
    # Between counts there is nothing.
    least_step = 1 if all(isinstance(value, int) for value in values) else 0
    return _Drawing(title, labels, series, texts, _list_ticks(max(values, default=0), least_step), format_tick)


def _list_ticks(highest: float, least_step: int) -> list[float]:
    """Return round numbers from 0 up to the highest value or above it."""
    if highest <= 0:
        return [0, 1]
    magnitude = 10 ** math.floor(math.log10(highest / MAX_TICKS))
    step = next(size * magnitude for size in (1, 2, 2.5, 5, 10) if size * magnitude * MAX_TICKS >= highest * 0.9999)
    step = max(step, least_step)
    return [step * number for number in range(math.ceil(highest / step - 0.0001) + 1)]


def _spread(count: int) -> list[float]:
    """Return places from the start to the end of the width, in percent; a single one is in the middle."""
    return [50.0] if count == 1 else [100 * number / (count - 1) for number in range(count)]


def _get_value(series: Series, position: int) -> float | None:
    return series.values[position] if position < len(series.values) else None


def _list_runs(series: Series, count: int) -> list[list[tuple[int, float]]]:
    """Return the values between gaps, with their positions."""
    runs: list[list[tuple[int, float]]] = [[]]
    for position in range(count):
        value = _get_value(series, position)
        if value is None:
            runs.append([])
        else:
            runs[-1].append((position, value))
    return [run for run in runs if run]


def _describe(drawing: _Drawing, position: int, number: int) -> str:
    of_series = f" · {drawing.series[number].title}" if len(drawing.series) > 1 else ""
    return f"{drawing.labels[position]}{of_series}: {drawing.get_text(position, number)}"


def _draw_spots(drawing: _Drawing, places: Sequence[float]) -> list[Markup]:
    """Draw what a pointer finds at each label: the values of all series."""
    width = 100 / max(len(places), 1)
    return [
        _fill(
            '<rect class="spot" x="{:.3f}%" y="{}" width="{:.3f}%" height="{}"><title>{}</title></rect>',
            max(place - width / 2, 0),
            TOP,
            min(width, 100 - max(place - width / 2, 0)),
            HEIGHT - TOP - BOTTOM,
            "\n".join(_describe(drawing, position, number) for number in range(len(drawing.series))),
        )
        for position, place in enumerate(places)
    ]


def _draw_scale(drawing: _Drawing) -> list[Markup]:
    return [
        _fill(
            '<line class="{}" x1="0" x2="100%" y1="{:.1f}" y2="{:.1f}"></line>',
            "axis" if tick == 0 else "grid-line",
            drawing.to_y(tick),
            drawing.to_y(tick),
        )
        for tick in drawing.ticks
    ]


def _draw_ticks(drawing: _Drawing) -> list[Markup]:
    return [
        _fill('<text x="0" y="{:.1f}">{}</text>', drawing.to_y(tick) - 4, drawing.format_tick(tick))
        for tick in drawing.ticks
        if tick
    ]


def _draw_labels(labels: Sequence[str], places: Sequence[float]) -> list[Markup]:
    """Draw the labels that there is room for; those of class "odd" have none on a phone."""
    width = max(map(len, labels), default=0) * LETTER_WIDTH + LABEL_GAP
    percent = 100 * width / DESK_WIDTH
    half = percent / 2
    shown = list(zip(places, labels, strict=True))[:: _choose_interval(places, percent)]
    is_crowded = len(shown) * width > PHONE_WIDTH
    return [
        _fill(
            '<text{} x="{:.2f}%" y="{}" text-anchor="{}">{}</text>',
            Markup(' class="odd"') if number % 2 and is_crowded else "",
            0 if place < half else 100 if place > 100 - half else place,
            HEIGHT - 6,
            "start" if place < half else "end" if place > 100 - half else "middle",
            label,
        )
        for number, (place, label) in enumerate(shown)
    ]


def _choose_interval(places: Sequence[float], percent: float) -> int:
    """Return which labels are shown, as every so many, for labels of this width in percent of the chart's."""
    if len(places) < 2:
        return 1
    # The first label stands within the chart, so the next one needs more room.
    needed = max(percent, 1.5 * percent - places[0])
    return max(1, math.ceil(needed / (places[1] - places[0]) - 0.001))


def _finish(drawing: _Drawing, parts: Sequence[Markup], places: Sequence[float]) -> Chart:
    labels, series = drawing.labels, drawing.series
    span = f"{labels[0]} … {labels[-1]}" if len(labels) > 1 else "".join(labels)
    svg = _fill(
        '<svg class="chart" role="img" aria-label="{}"><desc>{}</desc>{}{}{}</svg>',
        drawing.title,
        span,
        Markup("").join(_draw_scale(drawing)),
        Markup("").join(parts),
        # Above the bars and lines, which would hide them.
        Markup("").join([*_draw_ticks(drawing), *_draw_labels(labels, places)]),
    )
    rows = tuple(
        (label, *(drawing.get_text(position, number) for number in range(len(series))))
        for position, label in enumerate(labels)
    )
    legend = tuple((KINDS[number % 4], each.title) for number, each in enumerate(series)) if len(series) > 1 else ()
    return Chart(svg, (drawing.title, *(each.title for each in series)), rows, legend)
