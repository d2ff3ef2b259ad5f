"""The selection of tables for a party, and the errors if it cannot be seated."""

from datetime import datetime

from comanda.basics import ComandaError, Conflict, Sentence, ValidationFailed, clock

from comanda_reservations.services.reservation_rules import MAX_DURATION, RefusalReason, ReservationRules
from comanda_reservations.services.table_plan import PlanTable, TablePlan, TimeSpan, select_tables


def check_duration(span: TimeSpan) -> None:
    """Check that the end is at most ``MAX_DURATION`` after the start. Raises ``ValidationFailed``."""
    if span.ends_at <= span.starts_at:
        raise ValidationFailed(ends_at=["Must be after starts_at."])
    if span.ends_at - span.starts_at > MAX_DURATION:
        raise ValidationFailed(ends_at=[Sentence("A reservation lasts at most 24 hours.")])


def check_time(rules: ReservationRules, starts_at: datetime, *, override: bool) -> None:
    """Check that the store accepts guests at a time. Raises ``ValidationFailed`` or ``Conflict``."""
    get_refusal = rules.get_hard_refusal if override else rules.get_time_refusal
    if reason := get_refusal(starts_at, clock.now()):
        raise _to_error(reason, rules)


def check_party_size(
    rules: ReservationRules, plan: TablePlan, span: TimeSpan, party_size: int, *, override: bool
) -> None:
    """Check the party limit and the seats left. Raises ``ValidationFailed`` or ``Conflict``."""
    if override:
        return
    if party_size > rules.max_party_size:
        raise _to_error(RefusalReason.PARTY_TOO_LARGE, rules)
    if not plan.has_seats(span, party_size):
        raise Conflict(
            Sentence(
                "Not enough seats left: the store takes %(capacity_seats)s guests at a time.",
                capacity_seats=plan.capacity_seats,
            ),
            extras={"reason": RefusalReason.FULLY_BOOKED.value},
        )


def select_named_tables(
    plan: TablePlan, numbers: list[str], span: TimeSpan, party_size: int, *, override: bool
) -> list[PlanTable]:
    """Return the tables with these numbers.

    Raises ``ValidationFailed`` for unknown tables and too few seats, ``Conflict`` for tables that are taken.
    """
    by_number = {table.number: table for table in plan.tables}
    if unknown := [number for number in numbers if number not in by_number]:
        raise ValidationFailed(table_numbers=[f"Table {number} does not exist or is not active." for number in unknown])
    found = [by_number[number] for number in dict.fromkeys(numbers)]
    seats = sum(table.seats for table in found)
    if seats < party_size and not override:
        raise ValidationFailed(table_numbers=[Sentence("These tables seat only %(seats)s.", seats=seats)])
    free = plan.get_free_tables(span)
    if taken := [table.number for table in found if table not in free]:
        raise Conflict(
            Sentence("Already reserved at that time: %(tables)s.", tables=", ".join(taken)),
            extras={"reason": "table_taken", "table_numbers": taken},
        )
    return found


def select_free_tables(plan: TablePlan, span: TimeSpan, party_size: int) -> list[PlanTable]:
    """Return free tables for a party, none if the store has none. Raises ``ValidationFailed`` or ``Conflict``."""
    if not plan.has_tables:
        return []
    found = plan.select_tables(span, party_size)
    if found is not None:
        return found
    if select_tables(plan.tables, party_size) is None:
        raise ValidationFailed(
            party_size=[
                Sentence(
                    "No combination of three tables seats %(party_size)s. Name the tables to reserve.",
                    party_size=party_size,
                )
            ]
        )
    raise Conflict(
        Sentence("No table for %(party_size)s is available at that time.", party_size=party_size),
        extras={"reason": RefusalReason.FULLY_BOOKED.value},
    )


def _to_error(reason: RefusalReason, rules: ReservationRules) -> ComandaError:
    minutes = int(rules.notice.total_seconds()) // 60
    field, sentence = {
        RefusalReason.PAST: ("starts_at", "Must not be in the past."),
        RefusalReason.TOO_FAR: ("starts_at", "Must be within the next two years."),
        RefusalReason.TOO_SOON: ("starts_at", f"The store requires {minutes} minutes' notice."),
        RefusalReason.CLOSED: ("starts_at", "The store is closed at that time."),
        RefusalReason.PARTY_TOO_LARGE: (
            "party_size",
            f"The store accepts parties of up to {rules.max_party_size} guests.",
        ),
        RefusalReason.NOT_ACCEPTING: ("", "The store is not accepting reservations."),
    }[reason]
    extras = {"reason": reason.value}
    return ValidationFailed({field: [sentence]}, extras=extras) if field else Conflict(sentence, extras=extras)
