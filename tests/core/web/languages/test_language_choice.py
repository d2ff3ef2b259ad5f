import pytest


@pytest.mark.parametrize("method", ["get", "post"])
async def test_choice_is_kept_for_later_pages(client, method):
    fields = {"language": "de", "next": "/docs/guide/?page=2"}
    options = {"query_string": fields} if method == "get" else {"form": fields}

    response = await getattr(client, method)("/language", **options)

    assert (response.status_code, response.headers["Location"]) == (303, "/docs/guide/?page=2")
    assert "comanda_language=de" in response.headers["Set-Cookie"]
    page = await client.get("/nothing", headers={"Accept-Language": "fr"})
    assert page.headers["Content-Language"] == "de"


async def test_unknown_language_forgets_the_choice(client):
    await client.get("/language", query_string={"language": "de"})

    response = await client.get("/language", query_string={"language": "tlh"})

    assert "Max-Age=0" in response.headers["Set-Cookie"]
    page = await client.get("/nothing")
    assert page.headers["Content-Language"] == "en"


@pytest.mark.parametrize("path", ["https://evil.example/", "//evil.example", "/\\evil.example", ""])
async def test_choice_leads_to_no_other_site(client, path):
    response = await client.get("/language", query_string={"language": "de", "next": path})

    assert response.headers["Location"] == "/"
