"""Pages answer their own addresses alone, and their hooks run for themselves alone."""

import dataclasses

import pytest
from comanda.basics.startup_errors import DuplicateRegistration, InvalidDeclaration
from comanda.composition.app import create_app
from comanda.contracts.web.pages import DocumentedPage, Pages
from quart import Blueprint


async def show(**_):
    """Show the garden."""
    return "roses"


def garden(*paths, name="garden"):
    blueprint = Blueprint(name, __name__)
    for number, path in enumerate(paths):
        blueprint.add_url_rule(path, f"show{number}", show)
    return blueprint


def start(runtime, *blueprints):
    made = [Pages(blueprint) for blueprint in blueprints]
    registry = dataclasses.replace(runtime.registry, pages=(*runtime.registry.pages, *made))
    return create_app(dataclasses.replace(runtime, registry=registry), with_background=False)


@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("/docs/<any(guide, ui):name>", "comanda.guide"),
        ("/docs/guide/roses", "comanda.chapter"),
        ("/docs/guide/<int:number>", "comanda.chapter"),
        ("/docs/<path:rest>/roses", "comanda.chapter"),
        ("/own/comanda.css", "comanda.static"),
        ("/own/<name>.css", "comanda.static"),
        ("/kitchen", "kds.show_kitchen_page"),
        ("/s/admin", "storefront.show_store"),
        ("/t/<token>/events/", "storefront.stream_order"),
    ],
)
def test_address_of_another_plugin_is_refused(runtime, path, other):
    with pytest.raises(DuplicateRegistration) as refused:
        start(runtime, garden(path))

    assert str(refused.value).startswith(f"The page garden.show0 and the page {other} both answer {path}")
    assert refused.value.plugins == (other.partition(".")[0].replace("comanda", "core"), "garden")


@pytest.mark.parametrize(
    "path",
    [
        "/healthz",
        "/<path:anything>",
        "/<name>/",
        "/<name>z",
        "/mcp/<name>",
        "/photos/<int:store>/roses",
        "/pay/<token>/start",
    ],
)
def test_address_of_a_route_is_refused(runtime, path):
    with pytest.raises(DuplicateRegistration, match=r"The page garden\.show0 and the "):
        start(runtime, garden(path))


@pytest.mark.parametrize("path", ["/api/v1", "/api/v1/roses", "/api/<path:anything>", "/<prefix>/v1/roses/<int:id>"])
def test_address_of_the_api_is_refused(runtime, path):
    with pytest.raises((DuplicateRegistration, InvalidDeclaration)):
        start(runtime, garden(path))


def test_addresses_under_a_word_of_its_own_are_free(runtime):
    paths = ("/garden/", "/garden/<path:anything>", "/garden/beds/<int:number>", "/garden/beds/<name>")

    rules = {rule.rule for rule in start(runtime, garden(*paths)).url_map.iter_rules()}

    assert rules >= set(paths)


@pytest.mark.parametrize(
    "hook",
    ["before_app_request", "after_app_request", "teardown_app_request", "app_context_processor",
     "app_url_value_preprocessor", "app_url_defaults", "before_app_serving", "after_app_serving", "while_app_serving"],
)  # fmt: skip
def test_hook_for_the_pages_of_all_plugins_is_refused(runtime, hook):
    blueprint = garden("/garden/")
    getattr(blueprint, hook)(lambda *_: None)

    with pytest.raises(InvalidDeclaration, match=f"Plugin garden: the pages garden use {hook}, which is run for"):
        start(runtime, blueprint)


def test_error_handler_for_the_pages_of_all_plugins_is_refused(runtime):
    blueprint = garden("/garden/")
    blueprint.app_errorhandler(404)(show)

    with pytest.raises(InvalidDeclaration, match="use app_errorhandler"):
        start(runtime, blueprint)


def test_hook_added_by_hand_is_refused(runtime):
    blueprint = garden("/garden/")
    blueprint.record(lambda state: state.app.before_request(show))

    with pytest.raises(InvalidDeclaration, match="use before_app_request"):
        start(runtime, blueprint)


def test_filter_of_all_templates_cannot_be_replaced(runtime):
    blueprint = garden("/garden/")
    blueprint.app_template_filter("escape")(lambda text: text)

    with pytest.raises(InvalidDeclaration, match="the pages garden replace the filter escape"):
        start(runtime, blueprint)


async def test_hooks_of_a_blueprint_run_for_its_own_pages(runtime):
    blueprint, seen = garden("/garden/"), []

    @blueprint.before_request
    async def note():
        seen.append("asked")

    client = start(runtime, blueprint).test_client()
    for path in ("/", "/docs/guide/", "/nothing", "/garden/"):
        await client.get(path)

    assert seen == ["asked"]


def test_documented_path_that_no_page_answers_is_refused(runtime):
    roses, tulips = (DocumentedPage(path, "Garden", "Show it.") for path in ("/garden/{bed}", "/tulips/{bed}"))

    def start_with(*documented):
        made = Pages(garden("/garden/<int:bed>"), documented=documented)
        registry = dataclasses.replace(runtime.registry, pages=(*runtime.registry.pages, made))
        return create_app(dataclasses.replace(runtime, registry=registry), with_background=False)

    assert start_with(roses)
    with pytest.raises(InvalidDeclaration, match="no page answers the documented path /tulips"):
        start_with(tulips)
