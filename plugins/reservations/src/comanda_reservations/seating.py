"""Finds a party its tables, or says why it cannot come."""

from datetime import datetime

from comanda import clock
from comanda.errors import ComandaError, Conflict, ValidationFailed

from comanda_reservations.planning import Plan, Seats, Span, choose
from comanda_reservations.rules import LONGEST, Obstacle, Rules


def check_length(span: Span) -> None:
    """Refuse an end that does not follow its start within ``LONGEST``. Raises ``ValidationFailed``."""
    if span.ends_at <= span.starts_at:
        raise ValidationFailed(ends_at=["Must be after starts_at."])
    if span.ends_at - span.starts_at > LONGEST:
        raise ValidationFailed(ends_at=["A table is reserved for 24 hours at the most."])


def check_time(rules: Rules, starts_at: datetime, *, override: bool) -> None:
    """Refuse a time at which nobody can come. Raises ``ValidationFailed`` or ``Conflict``."""
    judge = rules.hard_obstacle if override else rules.obstacle_of_time
    if found := judge(starts_at, clock.now()):
        raise _refusal(found, rules)


def check_party(rules: Rules, plan: Plan, span: Span, party_size: int, *, override: bool) -> None:
    """Refuse a party that is too large or finds the house full. Raises ``ValidationFailed`` or ``Conflict``."""
    if override:
        return
    if party_size > rules.max_party_size:
        raise _refusal(Obstacle.PARTY_TOO_LARGE, rules)
    if not plan.has_seats(span, party_size):
        raise Conflict(
            f"Only {plan.capacity_seats} guests fit at one time, and too few seats are left.",
            extras={"reason": Obstacle.FULLY_BOOKED.value},
        )


def named(plan: Plan, numbers: list[str], span: Span, party_size: int, *, override: bool) -> list[Seats]:
    """Return the tables of these numbers. Raises ``ValidationFailed`` for wrong ones, ``Conflict`` for taken ones."""
    by_number = {table.number: table for table in plan.tables}
    if unknown := [number for number in numbers if number not in by_number]:
        raise ValidationFailed(table_numbers=[f"There is no table {number} in use." for number in unknown])
    found = [by_number[number] for number in dict.fromkeys(numbers)]
    seats = sum(table.seats for table in found)
    if seats < party_size and not override:
        raise ValidationFailed(table_numbers=[f"These tables seat {seats}, not {party_size}."])
    free = plan.free_tables(span)
    if taken := [table.number for table in found if table not in free]:
        raise Conflict(
            f"Taken at that time: {', '.join(taken)}.", extras={"reason": "table_taken", "table_numbers": taken}
        )
    return found


def chosen(plan: Plan, span: Span, party_size: int) -> list[Seats]:
    """Choose a party's tables, none where the store has none. Raises ``ValidationFailed`` or ``Conflict``."""
    if not plan.has_tables:
        return []
    found = plan.choose(span, party_size)
    if found is not None:
        return found
    if choose(plan.tables, party_size) is None:
        raise ValidationFailed(party_size=[f"No table, nor any three together, seat {party_size}. Name the tables."])
    raise Conflict(f"No table for {party_size} is free at that time.", extras={"reason": Obstacle.FULLY_BOOKED.value})


def _refusal(obstacle: Obstacle, rules: Rules) -> ComandaError:
    minutes = int(rules.notice.total_seconds()) // 60
    field, sentence = {
        Obstacle.PAST: ("starts_at", "This time has passed."),
        Obstacle.TOO_FAR: ("starts_at", "This is more than two years ahead."),
        Obstacle.TOO_SOON: ("starts_at", f"The store wants {minutes} minutes' notice."),
        Obstacle.CLOSED: ("starts_at", "The store is closed at that time."),
        Obstacle.PARTY_TOO_LARGE: ("party_size", f"The store takes up to {rules.max_party_size} guests in a party."),
        Obstacle.NOT_ACCEPTING: ("", "The store takes no reservations at present."),
    }[obstacle]
    extras = {"reason": obstacle.value}
    return ValidationFailed({field: [sentence]}, extras=extras) if field else Conflict(sentence, extras=extras)
