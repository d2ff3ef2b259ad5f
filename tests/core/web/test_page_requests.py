"""Sizes of requests for pages."""

import pytest
from comanda.platform.photos.uploads import MAX_BODY_BYTES
from comanda.web.page_requests import MAX_FIELDS, PageRequest
from quart.testing import QuartClient
from werkzeug.datastructures import Headers

FORM = {"content-type": "multipart/form-data; boundary=x", "cookie": "__Host-comanda_session=secret"}


@pytest.mark.parametrize(
    ("method", "path", "headers", "limit"),
    [
        ("POST", "/dashboard/stores/1/menu/import", FORM, MAX_BODY_BYTES),
        ("POST", "/sign-in", FORM, 1000),
        ("GET", "/dashboard/stores/1", FORM, 1000),
        ("POST", "/dashboard/stores/1", {**FORM, "content-type": "application/json"}, 1000),
        ("POST", "/dashboard/stores/1", {**FORM, "cookie": "theme=dark"}, 1000),
    ],
)
async def test_only_forms_with_files_of_signed_in_people_may_be_large(method, path, headers, limit):
    request = PageRequest(
        method,
        "http",
        path,
        b"",
        Headers(headers),
        "",
        "1.1",
        {"type": "http"},
        max_content_length=1000,
        send_push_promise=None,
    )

    assert request.body._max_content_length == limit


@pytest.mark.parametrize(("fields", "status"), [(MAX_FIELDS, 403), (MAX_FIELDS + 1, 413)])
async def test_a_form_of_more_fields_than_any_page_has_is_not_parsed(app, fields, status):
    client = QuartClient(app)

    response = await client.post("/sign-in", form={f"field{number}": "x" for number in range(fields)})

    # Without the page's token the form is refused once it has been read.
    assert response.status_code == status
