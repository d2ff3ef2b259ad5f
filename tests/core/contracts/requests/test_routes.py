"""What a route declares of itself."""

import pytest
from comanda.contracts.requests.fields import Body
from comanda.contracts.requests.routes import FORM, KEY_HEADER, PUBLIC, FileUpload, Routes


class Tag(Body):
    name: str


async def create_tag(body: Tag) -> Tag:
    """Create a tag."""
    return body


def declare(**options):
    group = Routes("tags")
    group.post("/tags", scope="menu:write", **options)(create_tag)
    (route,) = group
    return route


@pytest.mark.parametrize("upload", [{"content_types": (FORM,)}, {"content_types": ("image/png",), "part": "photo"}])
def test_forms_and_only_forms_name_the_part_that_is_the_file(upload):
    with pytest.raises(TypeError, match="go together"):
        FileUpload(**upload)


@pytest.mark.parametrize(
    ("options", "is_replayable"),
    [
        ({}, True),
        ({"status": 200}, False),
        ({"callers": PUBLIC}, False),
        ({"is_read_only": True}, False),
        ({"headers": ((KEY_HEADER, "A key."),)}, False),
        ({"is_replayable": False}, False),
        ({"status": 200, "is_replayable": True}, True),
    ],
)
def test_answers_of_creating_routes_are_replayed(options, is_replayable):
    route = declare(**options)

    assert route.is_replayable is is_replayable
    assert [name for name, _ in route.headers].count(KEY_HEADER) == (is_replayable or "headers" in options)
