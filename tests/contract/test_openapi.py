"""The description, the index and the registry say the same, and what the specification asks for is there."""

import json
import re
from collections import Counter
from dataclasses import replace

from comanda.basics.json_schema import BOUNDS, list_references
from comanda.contracts.requests.fields import Body
from comanda.contracts.requests.routes import Routes
from comanda.contracts.web.pages import DocumentedPage, Pages
from comanda.web.api_reference.discovery import build_index
from comanda.web.api_reference.openapi import api_routes, document, documented_pages, split_document
from comanda.web.api_reference.schemas import find_used
from installed_plugins import get_description, get_registry
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from quart import Blueprint
from sweep import sweep


def keywords(node):
    if isinstance(node, list):
        for one in node:
            yield from keywords(one)
    elif isinstance(node, dict):
        for key, value in node.items():
            yield key
            # What stands below these is named by plugins, or is data.
            inner = list(value.values()) if key == "properties" else value
            yield from () if key in {"examples", "default"} else keywords(inner)


def list_declared():
    """List the method and the path of everything that has an operation."""
    return [
        *((route.method, route.full_path) for route in api_routes(get_registry())),
        *(("GET", page.path) for page in documented_pages(get_registry())),
    ]


def describe(method, path):
    return get_description()["paths"][path][method.lower()]


def list_operations():
    """Return the method, the path and the description of every operation."""
    paths = get_description()["paths"]
    return [
        (method.upper(), path, operation) for path, methods in paths.items() for method, operation in methods.items()
    ]


async def test_the_description_that_is_served_is_that_of_the_registry(client):
    served = await (await client.get("/api/v1/openapi.json")).get_json()
    of_site = await (await client.get("/openapi.json")).get_json()

    assert (served, of_site) == split_document(document(get_registry(), "http://comanda.test"), "http://comanda.test")
    assert served["openapi"].startswith("3.1")
    assert served["info"]["version"] == "v1"
    assert served["servers"] == [{"url": "http://comanda.test/api/v1"}]


async def test_index_description_and_registry_list_the_same(client):
    index = await (await client.get("/api/v1")).get_json()

    groups = [(tag, endpoints) for key in ("endpoints", "site_endpoints") for tag, endpoints in index[key].items()]
    listed = [endpoint for _, endpoints in groups for endpoint in endpoints]
    assert len(listed) == len(set(listed))
    declared = {f"{method} {path}" for method, path in list_declared()}
    assert set(listed) == declared == {f"{method} {path}" for method, path, _ in list_operations()}
    for method, path, operation in list_operations():
        assert any(tag == operation["tags"][0] and f"{method} {path}" in endpoints for tag, endpoints in groups)


def test_a_documented_page_is_described_as_a_page():
    page = DocumentedPage("/apps/{appId}/embed", "Apps", "Show an installed app.")
    extended = replace(
        get_registry(), pages=(*get_registry().pages, Pages(Blueprint("shown", __name__), documented=(page,)))
    )
    described = document(extended, "https://eat.example")

    operation = described["paths"]["/apps/{appId}/embed"]["get"]
    assert operation["servers"] == [{"url": "https://eat.example"}]
    assert operation["operationId"] == "get_apps_appId_embed"
    assert [parameter["name"] for parameter in operation["parameters"]] == ["appId"]
    assert set(operation["responses"]) == {"200", "303", "4XX"}
    assert set(operation["responses"]["200"]["content"]) == {"text/html"}
    assert (
        "GET /apps/{appId}/embed" in json.loads(build_index(extended, "https://eat.example"))["site_endpoints"]["Apps"]
    )


async def test_the_index_tells_what_a_newcomer_needs(client):
    index = await (await client.get("/api/v1")).get_json()

    assert index["version"] == "v1"
    assert index["base_url"] == "http://comanda.test/api/v1"
    assert index["openapi"] == "http://comanda.test/api/v1/openapi.json"
    assert index["docs"] == "http://comanda.test/docs"
    assert "Bearer" in index["authentication"]
    assert {"name", "endpoints"} <= set(index)
    assert (await client.get("/docs", follow_redirects=True)).status_code == 200


def test_operations_keep_the_specifications_promises():
    pages = {page.path for page in documented_pages(get_registry())}
    with sweep(at_least=400) as checks:
        for method, path in list_declared():
            with checks.check(f"{method} {path}"):
                told = describe(method, path)
                assert {"200", "4XX"} <= set(told["responses"])
                assert told["security"] == [{"ApiToken": []}, {"StorefrontToken": []}, {"OAuth": []}]
                assert told["operationId"]
                assert len(told["tags"]) == 1
                assert told["summary"]
                in_path = [parameter for parameter in told["parameters"] if parameter["in"] == "path"]
                assert [parameter["name"] for parameter in in_path] == re.findall(r"\{(\w+)\}", path)
                assert all(parameter["schema"] == {"type": "string"} for parameter in in_path)
                names = [(parameter["in"], parameter["name"]) for parameter in told["parameters"]]
                assert len(names) == len(set(names))
                refusal = told["responses"]["4XX"]["content"]
                assert path in pages or refusal["application/json"]["schema"] == {"$ref": "#/components/schemas/Error"}


def test_operations_describe_what_their_routes_take_and_give():
    with sweep(at_least=400) as checks:
        for route in api_routes(get_registry()):
            with checks.check(route.operation_id):
                told = describe(route.method, route.full_path)
                assert str(route.status) in told["responses"]
                assert ("requestBody" in told) == (route.binding.body is not None)
                if route.status != 204:
                    content = told["responses"][str(route.status)]["content"]
                    assert list(content) == list(route.content_types)
                    assert all(kind["schema"] for kind in content.values())


def test_what_can_be_read_conditionally_describes_304():
    conditional = [
        route for route in api_routes(get_registry()) if "If-None-Match" in [name for name, _ in route.headers]
    ]

    assert conditional
    for route in conditional:
        assert "304" in describe(route.method, route.full_path)["responses"]


class Apples:
    """A plugin whose model has the name of another's."""

    class Thing(Body):
        apples: int

    class Filter(Body):
        ripe: bool = True


class Bricks:
    """Another such plugin."""

    class Thing(Body):
        bricks: str


def test_two_models_of_one_name_are_told_apart():
    group = Routes("Things")

    async def take_apples(body: Apples.Thing, query: Apples.Filter) -> Apples.Thing:
        """Take apples."""

    async def take_bricks(body: Bricks.Thing) -> Bricks.Thing:
        """Take bricks."""

    group.post("/apples", scope="menu:write", is_replayable=False)(take_apples)
    group.post("/bricks", scope="menu:write")(take_bricks)
    made = document(replace(get_registry(), routes=tuple(group)), "https://eat.example")

    def properties(path, *steps):
        schema = made["paths"][f"/api/v1{path}"]["post"]
        for step in (*steps, "content", "application/json", "schema"):
            schema = schema[step]
        return set(made["components"]["schemas"][schema["$ref"].rpartition("/")[2]]["properties"])

    assert properties("/apples", "requestBody") == properties("/apples", "responses", "201") == {"apples"}
    assert properties("/bricks", "requestBody") == properties("/bricks", "responses", "201") == {"bricks"}
    assert made["paths"]["/api/v1/apples"]["post"]["parameters"] == [
        {
            "name": "ripe",
            "in": "query",
            "required": False,
            "schema": {"type": "boolean", "default": True, "title": "Ripe"},
        }
    ]
    assert len({schema["title"] for schema in made["components"]["schemas"].values()}) == len(
        made["components"]["schemas"]
    )
    assert list(OpenAPIV31SpecValidator(made).iter_errors()) == []


def test_operation_ids_are_unique():
    ids = [operation["operationId"] for _, _, operation in list_operations()]

    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"\w+", name) for name in ids)


def test_the_three_security_schemes():
    assert get_description()["components"]["securitySchemes"] == {
        "ApiToken": {"type": "http", "scheme": "bearer"},
        "StorefrontToken": {"type": "apiKey", "in": "header", "name": "X-Storefront-Token"},
        "OAuth": {
            "type": "oauth2",
            "flows": {
                "authorizationCode": {
                    "authorizationUrl": "https://eat.example/oauth/authorize",
                    "tokenUrl": "https://eat.example/oauth/token",
                    "scopes": {},
                }
            },
        },
    }


def test_schemas_use_the_keywords_of_json_schema():
    assert set(keywords(get_description()["components"]["schemas"])) & set(BOUNDS) == set()
    assert set(keywords(get_description()["paths"])) & set(BOUNDS) == set()


def test_every_reference_is_to_a_component_and_every_component_is_used():
    found = set(list_references(get_description()))

    assert {reference for reference in found if not reference.startswith("#/components/schemas/")} == set()
    assert {reference.rpartition("/")[2] for reference in found} == set(get_description()["components"]["schemas"])


def test_the_examples_of_request_bodies_are_accepted():
    with sweep(at_least=150) as checks:
        for route in api_routes(get_registry()):
            if route.binding.body is None:
                continue
            with checks.check(route.operation_id):
                media = describe(route.method, route.full_path)["requestBody"]["content"]["application/json"]
                example = media["examples"]["body"]["value"]

                check_example(media["schema"], example)
                assert route.binding.body.model_validate_json(json.dumps(example))
                assert "text" not in json.dumps(list(example.values())), "state one: model_config = example({...})"


def check_example(schema, example):
    # The components, whose references are followed, are valid: a test above says so.
    components = get_description()["components"]
    problems = list(Draft202012Validator({**schema, "components": components}).iter_errors(example))
    assert problems == []


def test_a_form_names_the_part_that_is_the_file():
    forms = [
        (route, operation["requestBody"]["content"]["multipart/form-data"]["schema"])
        for route in api_routes(get_registry())
        if "multipart/form-data" in route.upload.content_types
        for operation in [describe(route.method, route.full_path)]
    ]

    assert forms
    for route, schema in forms:
        assert schema["type"] == "object"
        assert schema["properties"][route.upload.part] == {"type": "string", "format": "binary"}


def test_the_examples_of_webhooks_are_whole_deliveries():
    with sweep(at_least=20) as checks:
        for name in get_registry().events:
            with checks.check(name):
                operation = get_description()["webhooks"][name]["post"]
                media = operation["requestBody"]["content"]["application/json"]
                example = media["examples"]["delivery"]["value"]

                assert operation["security"] == []
                assert list(example) == ["id", "event", "created_at", "data"]
                assert example["event"] == name
                check_example(media["schema"], example)


def test_every_event_is_among_the_webhooks():
    assert set(get_registry().events) == set(get_description()["webhooks"])


def test_scopes_are_those_that_tokens_can_carry():
    for route in api_routes(get_registry()):
        if "owner" in route.callers and route.scope != "any":
            action = "read" if route.method == "GET" else "write"
            assert re.fullmatch(rf"[a-z]+:{action}", route.scope), f"{route.method} {route.full_path}: {route.scope}"


def test_no_two_models_share_a_name():
    """Clients are generated with classes of these names; where two share one, both are spelled with their modules."""
    schemas = get_description()["components"]["schemas"]
    assert [name for name in schemas if "__" in name or name.endswith(("-Input", "-Output"))] == []
    titles = Counter(schema["title"] for schema in schemas.values())
    assert [title for title, count in titles.items() if count > 1] == []


def test_bodies_describe_defaults_in_words():
    """Of a field with ``default``, openapi-typescript requires a value in what one sends."""
    bodies = [
        operation["requestBody"]["content"]["application/json"]["schema"]
        for _, _, operation in list_operations()
        if "requestBody" in operation
    ]
    sent = find_used(bodies, get_description()["components"]["schemas"])

    with sweep(at_least=150) as checks:
        for name, schema in sent.items():
            with checks.check(name):
                fields = schema.get("properties", {}).values()
                assert [field for field in fields if "default" in field] == []
    assert sent["LineBody"]["properties"]["extras"]["description"].endswith("Default: `[]`.")


def test_the_fields_that_plugins_add_stand_in_the_bodies():
    schemas = get_description()["components"]["schemas"]

    for body in ("ItemBody", "ItemChange", "ItemOut", "PublicItem"):
        for capability in get_registry().item_capabilities.values():
            for name in capability.fields.model_fields:
                assert capability.code in schemas[body]["properties"][name]["description"]
    for body in ("OrderBody", "OrderSummary", "OrderOut"):
        for participant in get_registry().order_participants:
            for name in participant.fields.model_fields if participant.fields else ():
                assert name in schemas[body]["properties"]
