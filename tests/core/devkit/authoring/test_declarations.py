"""What clients are told of routes: each shape that tells them something passes, and no other."""

from typing import Any

import pytest
from comanda.contracts.calls import Answer
from comanda.contracts.paging import Page
from comanda.contracts.routes import Routes
from comanda.devkit.authoring.declarations import check_route
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
