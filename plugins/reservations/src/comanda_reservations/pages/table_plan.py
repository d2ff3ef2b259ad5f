"""A plan of a day as SVG: a row for each table, hours across, and a bar for each reservation.

Places are set in percent, so that the plan is as wide as the page, and texts keep their size.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from zoneinfo import ZoneInfo

from markupsafe import Markup

ROW: Final = 36
TOP: Final = 22
LABEL_PERCENT: Final = 9.0
# Shown at least, in hours of the store's day.
FIRST_HOUR: Final = 12
LAST_HOUR: Final = 23
HOUR_STEP: Final = 2
Json = Mapping[str, Any]


def draw_plan(tables: Sequence[Json], reservations: Sequence[Json], zone: ZoneInfo, href: str) -> Markup:
    """Return the plan; its bars lead to the reservations, below ``href``. Those without a listed table are not on it.

    Its links are not in the order of keys: the list below the plan has the same ones.
    """
    spans = {each["id"]: _get_span(each, zone) for each in reservations}
    first = min([FIRST_HOUR, *(int(start) for start, _end in spans.values())])
    last = max([LAST_HOUR, *(int(end + 0.99) for _start, end in spans.values())])
    scale = (100 - LABEL_PERCENT) / (last - first)
    rows = {table["number"]: number for number, table in enumerate(tables)}
    height = TOP + ROW * len(rows)
    parts = [_draw_hour(hour, LABEL_PERCENT + (hour - first) * scale, height) for hour in range(first, last, HOUR_STEP)]
    parts += [_draw_row(table, TOP + ROW * number) for number, table in enumerate(tables)]
    for each in reservations:
        start, end = spans[each["id"]]
        left, width = LABEL_PERCENT + (start - first) * scale, max((end - start) * scale, 1.0)
        parts += [
            _draw_bar(each, left, width, TOP + ROW * rows[name], href) for name in each["table_numbers"] if name in rows
        ]
    return Markup('<svg class="plan" height="{}" aria-hidden="true" focusable="false">{}</svg>').format(
        height, Markup("").join(parts)
    )


def _get_span(reservation: Json, zone: ZoneInfo) -> tuple[float, float]:
    """Return the hours from midnight of the day on which a reservation begins to its start and to its end."""
    start = reservation["starts_at"].astimezone(zone)
    end = reservation["ends_at"].astimezone(zone)
    begin = start.hour + start.minute / 60
    return begin, begin + (end - start).total_seconds() / 3600


def _draw_hour(hour: int, left: float, height: int) -> Markup:
    return Markup(
        '<line class="grid-line" x1="{:.2f}%" x2="{:.2f}%" y1="{}" y2="{}"></line><text x="{:.2f}%" y="14">{}:00</text>'
    ).format(left, left, TOP, height, left, hour % 24)


def _draw_row(table: Json, top: int) -> Markup:
    return Markup(
        '<line class="grid-line" x1="0" x2="100%" y1="{}" y2="{}"></line><text class="name" x="12" y="{}">{}</text>'
    ).format(top, top, top + ROW * 0.62, table["number"])


def _draw_bar(reservation: Json, left: float, width: float, top: int, href: str) -> Markup:
    text = f"{reservation['party_size']} · {reservation['guest_name']}"
    return Markup(
        '<a href="{}/{}" tabindex="-1"><svg x="{:.2f}%" y="{}" width="{:.2f}%" height="{}"><title>{}</title>'
        '<rect class="bar {}" width="100%" height="100%" rx="6"></rect><text x="8" y="{}">{}</text></svg></a>'
    ).format(
        href, reservation["id"], left, top + 3, width, ROW - 6, text, reservation["status"], (ROW - 6) * 0.66, text
    )
