"""Which constraint a database error is about."""

import asyncpg
import pytest
from comanda.platform.db.errors import get_constraint_name


def violation(message, constraint=None):
    error = asyncpg.UniqueViolationError(message)
    error.constraint_name = constraint
    return error


@pytest.mark.parametrize(
    "error",
    [
        violation("duplicate key", "hotel_room_number"),
        violation("duplicate key", "hotel_room_number_102345"),
        violation('duplicate key value violates unique constraint "hotel_room_number_102345"'),
    ],
)
def test_constraint_has_the_name_of_its_migration(error):
    assert get_constraint_name(error) == "hotel_room_number"


def test_error_without_constraint_has_no_name():
    assert get_constraint_name(violation("duplicate key")) == ""
