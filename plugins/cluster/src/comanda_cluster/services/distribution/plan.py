"""The plan of a distribution: where each table belongs, and why, derived from its columns and keys.

Rows of owners are distributed by ``owner_id``. What must be unique over all owners, or is referred to by rows of
other owners, is a reference table, which each node has a copy of. What has no owner stays on the coordinator, unless
rows of owners refer to it. Tables of plugins follow the same rules, and need no entry anywhere.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from comanda_cluster.services.distribution.catalog import OWNER, OWNER_TYPE, ExclusionRule, Table

# Without the extension btree_gist, an exclusion constraint compares owners as ranges of one.
OWNER_RANGE: Final = re.compile(r"int8range\(owner_id, owner_id, '\[\]'::text\) WITH &&")
OWNER_EQUAL: Final = re.compile(r"\bowner_id WITH =")


class Placement(StrEnum):
    """Where Citus keeps a table's rows."""

    DISTRIBUTED = "distributed"
    REFERENCE = "reference"
    LOCAL = "local"


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """Where a table belongs and why; ``is_done`` once it is there."""

    table: Table
    placement: Placement
    reason: str

    @property
    def is_done(self) -> bool:
        """Whether the table is where it belongs."""
        return (self.table.placement or Placement.LOCAL) == self.placement


@dataclass(frozen=True, slots=True)
class DistributionPlan:
    """The tables in the order in which they are distributed, and sentences on what prevents that."""

    tables: tuple[PlannedTable, ...]
    problems: tuple[str, ...]

    @property
    def pending(self) -> tuple[PlannedTable, ...]:
        """The tables that are not yet where they belong."""
        return tuple(each for each in self.tables if not each.is_done)


def build_plan(tables: Mapping[str, Table]) -> DistributionPlan:
    """Derive the plan from the tables of a database."""
    placed: dict[str, tuple[Placement, str]] = {name: _place(table) for name, table in tables.items()}
    while found := next(_find_references(tables, placed), None):
        name, reason = found
        placed[name] = (Placement.REFERENCE, reason)
    planned = [PlannedTable(tables[name], *placed[name]) for name in sorted(placed)]
    order = [Placement.REFERENCE, Placement.DISTRIBUTED, Placement.LOCAL]
    planned.sort(key=lambda each: order.index(each.placement))
    return DistributionPlan(tuple(planned), tuple(_find_problems(planned, placed)))


def to_cluster_rule(rule: ExclusionRule) -> str | None:
    """Return an exclusion constraint with owners compared by ``=``, as Citus requires; None if it ignores owners."""
    if OWNER_EQUAL.search(rule.definition):
        return rule.definition
    replaced, count = OWNER_RANGE.subn("owner_id WITH =", rule.definition)
    return replaced if count == 1 else None


def _place(table: Table) -> tuple[Placement, str]:
    """Return where a table belongs by itself."""
    if table.owner_type is None:
        return Placement.LOCAL, "has no owner"
    if not table.has_every_owner or table.owner_type != OWNER_TYPE:
        return Placement.LOCAL, f"has rows without an owner, or an {OWNER} that is no {OWNER_TYPE}"
    for key in table.unique_keys:
        if OWNER not in key.columns:
            return Placement.REFERENCE, f"{key.name} is unique over all owners"
    for rule in table.exclusion_rules:
        if to_cluster_rule(rule) is None:
            return Placement.REFERENCE, f"{rule.name} applies to rows of all owners"
    return Placement.DISTRIBUTED, f"by {OWNER}"


def _find_references(
    tables: Mapping[str, Table], placed: Mapping[str, tuple[Placement, str]]
) -> Iterator[tuple[str, str]]:
    """Yield tables that must be reference tables because of those that refer to them."""
    for name, table in tables.items():
        placement = placed[name][0]
        for key in table.foreign_keys:
            target = placed[key.target][0]
            if placement is Placement.LOCAL or target is Placement.REFERENCE or key.target == name:
                continue
            if placement is Placement.REFERENCE:
                yield key.target, f"the reference table {name} refers to it"
            elif target is Placement.LOCAL:
                yield key.target, f"{name} refers to it"
            elif not key.pairs_owner:
                yield key.target, f"{name} refers to it without its owner"


def _find_problems(planned: list[PlannedTable], placed: Mapping[str, tuple[Placement, str]]) -> Iterator[str]:
    for each in planned:
        table = each.table
        if table.is_partitioned:
            yield f"{table.name} is partitioned (`comanda partitions`), which is not supported on a cluster."
        if table.placement is not None and table.placement != Placement.LOCAL and not each.is_done:
            yield f"{table.name} is a {table.placement} table, but belongs to the {each.placement} ones: {each.reason}."
        if each.placement is not Placement.LOCAL:
            continue
        for key in table.foreign_keys:
            if placed[key.target][0] is Placement.DISTRIBUTED:
                yield (
                    f"{table.name} stays on the coordinator ({each.reason}), but refers to {key.target}, which is "
                    f"distributed. Add {OWNER} to it."
                )
