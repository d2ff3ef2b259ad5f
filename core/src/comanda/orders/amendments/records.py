"""Records of amendments: what a person changed of an order, and what a waiter may do without approval."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

import orjson

from comanda.basics.errors import Forbidden
from comanda.basics.money import Money
from comanda.basics.sentences import Sentence
from comanda.contracts.orders.participants import NOTHING
from comanda.contracts.requests.callers import Caller
from comanda.orders.amendments.bodies import ExcessRefundBody
from comanda.platform.db import sql


class AmendmentKind(StrEnum):
    """What an amendment does."""

    ADD = "add"
    VOID = "void"
    COMP = "comp"
    DISCOUNT = "discount"
    REMOVE_DISCOUNT = "remove_discount"
    NOTE = "note"
    PRICE = "price"
    MOVE = "move"
    TRANSFER = "transfer"
    MERGE = "merge"
    SPLIT = "split"
    REOPEN = "reopen"


@dataclass(frozen=True, slots=True)
class Approval:
    """Whether somebody who may void what is being made, comp, discount and reopen does so or agrees, and who."""

    is_given: bool
    by: str | None = None

    def require(self) -> None:
        """Raise ``Forbidden`` with the reason ``approval_required`` unless it is given."""
        if not self.is_given:
            raise ApprovalRequired


class ApprovalRequired(Forbidden):
    """Somebody with more rights has to agree, with their PIN."""

    def __init__(self) -> None:
        super().__init__(Sentence("A manager has to approve this."), extras={"reason": "approval_required"})


OWN_RIGHT = Approval(is_given=True)
"""The approval of a caller who needs nobody else's."""


@dataclass(frozen=True, slots=True)
class LineChange:
    """A line whose quantity an amendment changed; ``quantity`` is the difference, negative for what was taken off."""

    line_id: int
    item_id: int
    name: str
    quantity: int


@dataclass(frozen=True, slots=True)
class Amendment:
    """An amendment of an order; ``number`` counts those of the order from 1, ``total`` is what it costs after it."""

    number: int
    kind: AmendmentKind
    changes: Sequence[LineChange]
    reason: str | None
    actor: str
    approved_by: str | None
    total: Money
    created_at: datetime

    @classmethod
    def from_row(cls, row: sql.Row, currency: str) -> Self:
        """Return the amendment in a row of its table."""
        return cls(
            number=row["number"],
            kind=AmendmentKind(row["kind"]),
            changes=[LineChange(**change) for change in orjson.loads(row["changes"])],
            reason=row["reason"],
            actor=row["actor"],
            approved_by=row["approved_by"],
            total=Money(row["total_minor"], currency),
            created_at=row["created_at"],
        )


@dataclass(frozen=True, slots=True)
class Amending:
    """Who amends an order, with whose approval, and why. ``details`` are further facts for the event.

    ``refund`` is how to refund what was paid above the new total, None to refuse that.
    """

    caller: Caller
    kind: AmendmentKind
    approval: Approval
    reason: str | None = None
    refund: ExcessRefundBody | None = None
    details: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
