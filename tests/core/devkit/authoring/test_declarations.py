"""What clients are told of routes: each shape that tells them something passes, and no other."""

from typing import Any, ClassVar

import pytest
from comanda.contracts.background.events import Event
from comanda.contracts.requests.calls import Answer
from comanda.contracts.requests.paging import Page
from comanda.contracts.requests.routes import Routes
from comanda.devkit.authoring.declarations import check_event, check_route
from pydantic import BaseModel


class Thing(BaseModel):
    id: int


def found(answers, **options):
    routes = Routes("Things")

    @routes.get("/things", scope="menu:read", answers=answers, **options)
    async def things():
        """List things."""

    (route,) = routes
    return [one.rule for one in check_route(route)]


@pytest.mark.parametrize("answers", [Thing, Page[Thing], list[Thing], str, Thing | None])
def test_answers_with_schema_are_accepted(answers):
    assert found(answers) == []


@pytest.mark.parametrize(
    "answers", [None, dict, list, Any, Answer, dict[str, Any], list[dict[str, Any]], list[Any], type(None)]
)
def test_answers_without_schema_are_reported(answers):
    assert found(answers) == ["route-answers"]


def test_nothing_needs_no_shape():
    assert found(None, status=204) == []


@pytest.mark.parametrize(("value", "has_finding"), [(12.5, True), (1250, True), ("12.50", False), (True, False)])
def test_amounts_of_events_are_texts(value, has_finding):
    class NoteCharged(Event):
        """A note was charged."""

        name = "notes.note_charged"
        scope = "orders:read"
        sample: ClassVar = {"note_id": 7, "lines": [{"quantity": 2, "price": value}]}

        note_id: int
        lines: list[dict[str, Any]]

    assert [one.rule for one in check_event(NoteCharged)] == ["event-amount"] * has_finding
