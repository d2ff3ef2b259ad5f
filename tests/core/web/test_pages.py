"""Pages: the start page and the guide show what is installed, and no two things answer at one address."""

import asyncio
import dataclasses
from types import ModuleType

import pytest
import structlog
from comanda import hookimpl
from comanda.basics.errors import NotFound
from comanda.basics.startup_errors import DuplicateRegistration, InvalidDeclaration
from comanda.composition import plugin_loader, registry
from comanda.composition.app import create_app
from comanda.contracts.registry import Plugin
from comanda.contracts.web.pages import Link, Pages
from comanda.platform import runtime as runtime_module
from quart import Blueprint


async def page(client, path):
    response = await client.get(path)
    return response, (await response.get_data()).decode()


async def test_missing_page_shows_error_page(client):
    for path in ("/nothing", "/docs/guide/nothing", "/docs/nothing/"):
        response, text = await page(client, path)

        assert response.status_code == 404
        assert "<h1>Page not found</h1>" in text
        assert "comanda.css" in text


@pytest.mark.parametrize("path", ["/", "/docs/guide/", "/nothing"])
async def test_a_page_loads_nothing_from_elsewhere(client, path):
    response, text = await page(client, path)

    assert response.headers["Content-Security-Policy"].startswith("default-src 'self'; img-src 'self' data:")
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "http://" not in text.replace("http://comanda.test", "")
    # The vocabulary of metadata has a name that looks like an address; nothing is loaded from there.
    assert "https://" not in text.replace('"@context": "https://schema.org"', "")


async def test_a_page_at_another_name_of_the_site_shows_its_photos(client, runtime):
    response = await client.get("/", headers={"Host": "127.0.0.1:8000"})

    assert f"img-src 'self' data: {runtime.settings.site_url};" in response.headers["Content-Security-Policy"]


async def test_pages_load_map_tiles_only_from_the_host_that_is_set(runtime):
    tiles = {"map_tiles_url": "https://tiles.example/{z}/{x}/{y}.png?key=1", "map_attribution": "© Map makers"}
    runtime_module.use(dataclasses.replace(runtime, settings=runtime.settings.model_copy(update=tiles)))
    try:
        response, text = await page(create_app(runtime, with_background=False).test_client(), "/driver/")
    finally:
        runtime_module.use(runtime)

    assert (
        f"img-src 'self' data: {runtime.settings.site_url} https://tiles.example;"
        in response.headers["Content-Security-Policy"]
    )
    assert f'content="{tiles["map_tiles_url"]}" data-attribution="© Map makers"' in text


def garden(name="garden", path="/garden/"):
    blueprint = Blueprint(name, __name__)

    async def show():
        """Show the garden."""
        return "roses"

    blueprint.add_url_rule(path, "show", show)
    return Pages(blueprint, (Link("Garden", path, "Roses."),))


def with_pages(runtime, *pages):
    return create_app(
        dataclasses.replace(
            runtime, registry=dataclasses.replace(runtime.registry, pages=(*runtime.registry.pages, *pages))
        ),
        with_background=False,
    )


async def test_a_plugins_page_is_answered(runtime):
    response = await with_pages(runtime, garden()).test_client().get("/garden/")

    assert (await response.get_data()).decode() == "roses"


def test_two_pages_at_one_address_stop_the_start(runtime):
    with pytest.raises(DuplicateRegistration, match=r"The page b\.show and the page a\.show both answer /garden/"):
        with_pages(runtime, garden("a"), garden("b"))


def test_a_page_at_the_address_of_a_route_stops_the_start(runtime):
    with pytest.raises(DuplicateRegistration, match=r"The page garden\.show and the route GET /healthz both"):
        with_pages(runtime, garden(path="/healthz"))


def test_a_page_under_the_apis_prefix_stops_the_start(runtime):
    with pytest.raises(InvalidDeclaration, match=r"The page garden\.show answers at /api/v1/garden, under the API's"):
        with_pages(runtime, garden(path="/api/v1/garden"))


def test_two_blueprints_of_one_name_stop_the_start():
    module = ModuleType("fake_garden")
    module.register_pages = hookimpl(lambda: [garden(), garden()])

    with pytest.raises(DuplicateRegistration, match="both declare the set of pages garden"):
        registry.gather([*plugin_loader.load([]), Plugin("garden", "comanda-garden", "1.0", (module,))])


async def test_failed_page_shows_error_page(runtime):
    blueprint = Blueprint("garden", __name__)

    async def show():
        """Fail."""
        raise FAILURES.pop()

    blueprint.add_url_rule("/garden/", "show", show)
    client = with_pages(runtime, Pages(blueprint)).test_client()
    told = []
    for _ in range(len(FAILURES)):
        response = await client.get("/garden/")
        text = (await response.get_data()).decode()
        assert "comanda.css" in text
        told.append((response.status_code, "roses" in text))

    assert told == [(404, False), (503, False), (500, False)]


FAILURES = [RuntimeError("roses"), OSError("the database is away"), NotFound()]


async def test_slow_page_is_cancelled(runtime):
    blueprint = Blueprint("garden", __name__)

    async def show():
        """Never answer."""
        await asyncio.Event().wait()

    blueprint.add_url_rule("/garden/", "show", show)
    settings = runtime.settings.model_copy(update={"request_timeout_seconds": 0.1})
    with structlog.testing.capture_logs() as lines:
        response = (
            await with_pages(dataclasses.replace(runtime, settings=settings), Pages(blueprint))
            .test_client()
            .get("/garden/")
        )

    assert response.status_code == 503
    assert "Temporarily unavailable" in (await response.get_data()).decode()
    assert [line["event"] for line in lines] == ["page_failed"]


async def test_page_that_ends_the_process_is_only_a_failed_page(runtime):
    blueprint = Blueprint("garden", __name__)

    async def show():
        """Exit."""
        raise SystemExit(3)

    blueprint.add_url_rule("/garden/", "show", show)

    assert (await with_pages(runtime, Pages(blueprint)).test_client().get("/garden/")).status_code == 500
