"""What was measured, beside its floor and its budget, as a table, as JSON and as a section of the documentation."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any, Self

from rich.console import Console
from rich.table import Table

AT_LEAST, AT_MOST = "≥", "≤"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the budget. Where there is a ``ratio`` to a ``floor`` the budget bounds that, else ``ours``."""

    work: str
    unit: str
    ours: float
    sense: str
    budget: float
    floor: float | None = None
    ratio: float | None = None

    @classmethod
    def of_rounds(
        cls, work: str, unit: str, ours: Sequence[float], floor: Sequence[float], sense: str, budget: float
    ) -> Self:
        """Compare round by round: what else the machine does in a round slows both sides of it."""
        ratio = median(mine / theirs for mine, theirs in zip(ours, floor, strict=True))
        return cls(work, unit, median(ours), sense, budget, median(floor), ratio)

    @property
    def is_met(self) -> bool:
        """Tell whether the budget is met."""
        judged = self.ours if self.ratio is None else self.ratio
        return judged >= self.budget if self.sense == AT_LEAST else judged <= self.budget

    def cells(self) -> tuple[str, ...]:
        """Make the line's texts."""
        return (
            self.work,
            f"{_short(self.ours)} {self.unit}",
            "" if self.floor is None else f"{_short(self.floor)} {self.unit}",
            "" if self.ratio is None else f"{self.ratio:.2f} x",
            f"{self.sense} {self.budget:g} {self.unit if self.ratio is None else 'x'}",
            "ok" if self.is_met else "over",
        )


@dataclass(frozen=True, slots=True)
class Detail:
    """What one program did under one load, round by round.

    ``cpus_ms`` are those of server and database a request, of which ``database_cpus_ms`` are the database's.
    """

    work: str
    program: str
    connections: int
    rates: list[float]
    p50s_ms: list[float]
    p99s_ms: list[float]
    cpus_ms: list[float]
    database_cpus_ms: list[float]

    def cells(self) -> tuple[str, ...]:
        """Make the line's texts."""
        return (
            self.work,
            self.program,
            str(self.connections),
            f"{median(self.rates):,.0f}",
            f"{median(self.p50s_ms):.2f}",
            f"{median(self.p99s_ms):.2f}",
            f"{median(self.cpus_ms):.2f}",
            f"{median(self.database_cpus_ms):.2f}",
        )


ROW_HEADS = ("what people wait for", "figure", "goal")
FINDING_HEADS = ("work", "ours", "floor", "ratio", "budget", "verdict")
DETAIL_HEADS = ("work", "program", "connections", "requests/s", "p50 ms", "p99 ms", "CPU ms/request", "of it database")


@dataclass(slots=True)
class Report:
    """Everything that one run found, and what could not be run."""

    machine: dict[str, str]
    findings: list[Finding] = field(default_factory=list)
    details: list[Detail] = field(default_factory=list)
    rows: list[tuple[str, str, str]] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Make a document of it."""
        return {
            "machine": self.machine,
            "findings": [{**asdict(found), "is_met": found.is_met} for found in self.findings],
            "details": [asdict(detail) for detail in self.details],
            "rows": [dict(zip(ROW_HEADS, row, strict=True)) for row in self.rows],
            "failures": self.failures,
        }

    def print(self, console: Console) -> None:
        """Print the tables."""
        if self.findings:
            console.print(_table(FINDING_HEADS, [found.cells() for found in self.findings], "Beside the floor"))
        if self.rows:
            console.print(_table(ROW_HEADS, self.rows, "What people wait for"))
        if self.details:
            console.print(_table(DETAIL_HEADS, [detail.cells() for detail in self.details], "Under load"))
        console.print(" · ".join(f"{name} {value}" for name, value in self.machine.items()))
        for name, problem in self.failures.items():
            console.print(f"{name} could not run: {problem}", style="red", markup=False)

    def as_sections(self) -> dict[str, str]:
        """Make the sections that the documentation keeps, by name; without those of which nothing was measured."""
        machine = " · ".join(f"{name} {value}" for name, value in self.machine.items())
        tables: dict[str, list[tuple[Sequence[str], Sequence[Sequence[str]]]]] = {
            "results": [
                (FINDING_HEADS, [found.cells() for found in self.findings]),
                (DETAIL_HEADS, [detail.cells() for detail in self.details]),
            ],
            "people": [(ROW_HEADS, self.rows)],
        }
        made = {name: [_markdown(*table) for table in each if table[1]] for name, each in tables.items()}
        return {name: "\n\n".join([machine, *texts]) for name, texts in made.items() if texts}


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], title: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold")
    for position, head in enumerate(heads):
        table.add_column(head, justify="left" if position == 0 else "right", overflow="fold")
    for row in rows:
        style = {"ok": "green", "over": "red"}.get(row[-1])
        table.add_row(*row, style=style)
    return table


def _markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
