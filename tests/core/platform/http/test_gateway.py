"""Whatever goes wrong under /api/v1 is told in one envelope, with its request id and the rate limit's headers."""

from urllib.parse import urlsplit

import asyncpg
import orjson
import pytest
from comanda.basics import errors
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.fields import Body
from comanda.contracts.requests.routes import OWNER, PUBLIC, Routes
from comanda.devkit.testing.plugin import METRICS_TOKEN
from comanda.devkit.testing.polling import await_condition
from comanda.platform.db import sql
from tortoise.exceptions import OperationalError

METRICS = {"Authorization": f"Bearer {METRICS_TOKEN}"}
faulty = Routes("Faulty", callers=PUBLIC, is_documented=False)


class Note(Body):
    text: str


@faulty.get("/faulty/raise")
async def raise_it() -> dict[str, str]:
    """Raise what nobody expects."""
    raise RuntimeError("the password is hunter2")


@faulty.get("/faulty/unencodable")
async def unencodable() -> dict[str, object]:
    """Return what has no JSON form."""
    return {"thing": object()}


@faulty.post("/faulty/note")
async def take_note(body: Note) -> dict[str, str]:
    """Take a note."""
    return {"text": body.text}


PASSING = {
    "refused": ConnectionRefusedError(),
    "timeout": TimeoutError(),
    "starting": asyncpg.CannotConnectNowError("the database system is starting up"),
    "killed": asyncpg.AdminShutdownError("terminating connection"),
    "crowded": asyncpg.TooManyConnectionsError("too many clients"),
    "failover": asyncpg.ReadOnlySQLTransactionError("cannot execute INSERT in a read-only transaction"),
    "full": asyncpg.DiskFullError("could not extend file"),
    "out of memory": asyncpg.OutOfMemoryError("out of memory"),
    "broken disk": asyncpg.PostgresIOError("could not read block 7"),
    "deadlock": asyncpg.DeadlockDetectedError("deadlock detected"),
    "cancelled": asyncpg.QueryCanceledError("statement timeout"),
    "closed": asyncpg.InterfaceError("connection is closed"),
}


@faulty.get("/faulty/passing/{kind}")
async def passing(kind: str) -> dict[str, str]:
    """Raise trouble that passes, as the driver does or as Tortoise wraps it."""
    name, _, wrapped = kind.partition("-")
    if wrapped:
        raise OperationalError(PASSING[name]) from PASSING[name]
    raise PASSING[name]


async def check(response, status, code):
    """Hold a refusal against what every refusal has; return its body."""
    body = await response.get_json()
    assert (response.status_code, body["code"]) == (status, code), body
    assert response.content_type == "application/json"
    assert body["message"][0].isupper()
    assert body["message"].endswith(".")
    assert body["request_id"] == response.headers["X-Request-Id"]
    assert int(response.headers["X-RateLimit-Limit"]) >= 1
    assert int(response.headers["X-RateLimit-Remaining"]) >= 0
    assert int(response.headers["X-RateLimit-Reset"]) in range(1, 61)
    assert response.headers["Cache-Control"] == "no-store"
    return body


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/v1//me", "/api/v1/me/x", "/api/v1/api/v1x"])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
async def test_an_unknown_path(client, method, path):
    await check(await client.open(path, method=method), 404, "not_found")


@pytest.mark.parametrize("path", ["/api/v1x", "/api", "/nothing"])
async def test_a_path_beside_the_api_is_not_the_apis(client, path):
    response = await client.get(path)

    assert response.status_code == 404
    assert "X-RateLimit-Limit" not in response.headers


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "/api/v1/me", "GET, HEAD, OPTIONS"),
        ("DELETE", "/api/v1/restaurants/1/orders", "GET, HEAD, OPTIONS, POST"),
        ("PATCH", "/api/v1/restaurants/1/menu/items/2", "DELETE, GET, HEAD, OPTIONS, PUT"),
        ("BREW", "/api/v1/me", "GET, HEAD, OPTIONS"),
    ],
)
async def test_a_method_that_the_path_does_not_take(client, method, path, allowed):
    response = await client.open(path, method=method)

    await check(response, 405, "method_not_allowed")
    assert response.headers["Allow"] == allowed


async def test_handler_error_reveals_nothing_internal(new_client):
    response = await new_client(faulty).get("/api/v1/faulty/raise")

    body = await check(response, 500, "server_error")
    assert body["message"] == "Something went wrong on our side."
    assert b"hunter2" not in await response.get_data()
    assert set(body) == {"message", "code", "request_id"}


async def test_an_answer_that_cannot_be_encoded(new_client):
    await check(await new_client(faulty).get("/api/v1/faulty/unencodable"), 500, "server_error")


@pytest.mark.parametrize("wrapped", ["", "-wrapped"])
@pytest.mark.parametrize("kind", PASSING)
async def test_transient_error_returns_503(new_client, kind, wrapped):
    response = await new_client(faulty).get(f"/api/v1/faulty/passing/{kind}{wrapped}")

    await check(response, 503, "unavailable")
    assert int(response.headers["Retry-After"]) >= 1


async def test_a_database_that_is_away(client, owner, store_id, database_url, postgres):
    name = urlsplit(database_url).path.removeprefix("/")
    control = await asyncpg.connect(postgres)
    try:
        await control.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        await control.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)

        away = [
            await client.get("/api/v1/me", headers=owner.auth),
            await client.get(f"/api/v1/menu/{store_id}"),
            await client.post(f"/api/v1/restaurants/{store_id}/orders", headers=owner.auth, json={"type": "takeaway"}),
        ]
        ready = await client.get("/readyz", headers=METRICS)
        alive = await client.get("/healthz")
        numbers = await client.get("/metrics", headers=METRICS)
        index = await client.get("/api/v1")
    finally:
        await control.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
        await control.close()

    async def is_back():
        return (await client.get("/api/v1/me", headers=owner.auth)).status_code == 200

    await await_condition(is_back, "the database to be back")
    for response in away:
        await check(response, 503, "unavailable")
        assert int(response.headers["Retry-After"]) >= 1
    assert (ready.status_code, (await ready.get_json())["code"]) == (503, "unavailable")
    assert (alive.status_code, index.status_code, numbers.status_code) == (200, 200, 200)


async def test_a_body_that_declares_itself_too_large_is_not_read(wire, owner, store_id):
    headers = [
        (b"authorization", owner.auth["Authorization"].encode()),
        (b"content-length", b"99999999999999999999999"),
    ]

    status, given, body = await wire("POST", f"/api/v1/restaurants/{store_id}/orders", headers=headers, messages=[])

    assert (status, orjson.loads(body)["code"]) == (413, "payload_too_large")
    assert given["x-request-id"] == orjson.loads(body)["request_id"]
    assert "x-ratelimit-remaining" in given


def chunks(*parts):
    return [
        {"type": "http.request", "body": part, "more_body": number < len(parts)} for number, part in enumerate(parts, 1)
    ]


@pytest.mark.parametrize("parts", [[b"x" * 2000], [b"x" * 600] * 4, [b"", b"x" * 1025], [b"x" * 1025]])
async def test_a_chunked_body_that_grows_too_large(new_client, wire, parts):
    other = new_client(faulty, body_limit_bytes=1024).app

    status, _, body = await wire("POST", "/api/v1/faulty/note", messages=chunks(*parts), to=other)

    assert (status, orjson.loads(body)["code"]) == (413, "payload_too_large")
    assert orjson.loads(body)["message"] == "The body is larger than 1024 bytes."


async def test_a_body_of_exactly_the_limit(new_client, wire):
    other = new_client(faulty, body_limit_bytes=1024).app
    whole = orjson.dumps({"text": "x" * (1024 - len('{"text":""}'))})

    status, _, body = await wire("POST", "/api/v1/faulty/note", messages=chunks(whole[:500], whole[500:]), to=other)

    assert len(whole) == 1024
    assert (status, body) == (201, whole)


@pytest.mark.parametrize("headers", [[], [(b"transfer-encoding", b"chunked")], [(b"content-length", b"50")]])
@pytest.mark.parametrize("messages", [[], [{"type": "http.request", "body": b"{", "more_body": True}]])
async def test_a_body_that_does_not_arrive(new_client, wire, headers, messages):
    other = new_client(faulty, body_timeout_seconds=0.05).app

    status, _, body = await wire("POST", "/api/v1/faulty/note", headers=headers, messages=messages, to=other)

    assert (status, orjson.loads(body)["code"]) == (408, "request_timeout")


async def test_slow_body_times_out(new_client, wire):
    other = new_client(faulty, body_timeout_seconds=0.3).app
    bytewise = [{"type": "http.request", "body": b" ", "more_body": True}] * 100

    status, _, body = await wire("POST", "/api/v1/faulty/note", messages=bytewise, pause_seconds=0.05, to=other)

    assert (status, orjson.loads(body)["code"]) == (408, "request_timeout")


async def test_disconnect_during_body(wire, new_client):
    messages = [{"type": "http.request", "body": b'{"text"', "more_body": True}, {"type": "http.disconnect"}]

    status, _, body = await wire("POST", "/api/v1/faulty/note", messages=messages, to=new_client(faulty).app)

    assert (status, orjson.loads(body)["code"]) == (400, "bad_request")


@pytest.mark.parametrize("declared", ["²", "-1", "many", "", "1e3", "0x10"])
async def test_a_content_length_that_is_no_number(wire, new_client, declared):
    messages = chunks(b'{"text": "x"}')
    headers = [(b"content-length", declared.encode("latin-1"))]

    status, _, _ = await wire(
        "POST", "/api/v1/faulty/note", headers=headers, messages=messages, to=new_client(faulty).app
    )

    assert status == 201


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "json", ""])
async def test_a_body_that_is_not_json(client, owner, store_id, kind):
    response = await client.post(
        f"/api/v1/restaurants/{store_id}/menu/categories",
        headers={**owner.auth, "Content-Type": kind},
        data=b'{"name": "Starters"}',
    )

    body = await check(response, 415, "unsupported_media_type")
    assert body["message"] == "Content-Type must be application/json."


@pytest.mark.parametrize(
    "kind", ["application/json; charset=utf-8", "APPLICATION/JSON", "application/vnd.comanda+json", None]
)
async def test_a_body_that_is_json(client, owner, store_id, kind):
    headers = {**owner.auth, **({"Content-Type": kind} if kind else {})}

    response = await client.post(
        f"/api/v1/restaurants/{store_id}/menu/categories", headers=headers, data=b'{"name": "Starters"}'
    )

    assert response.status_code == 201


@pytest.mark.parametrize(
    "body", [b"{", b"{]", b"nope", b"'x'", b'{"name": }', b"\xff\xfe{}", b'{"name": "x",}', b"\x00"]
)
async def test_malformed_json(client, owner, store_id, body):
    response = await client.post(
        f"/api/v1/restaurants/{store_id}/menu/categories",
        headers={**owner.auth, "Content-Type": "application/json"},
        data=body,
    )

    told = await check(response, 400, "bad_request")
    assert told["message"].startswith("The body is not valid JSON: ")


async def test_invalid_fields_are_reported_by_path(client, owner, store_id):
    response = await client.post(
        f"/api/v1/restaurants/{store_id}/menu/items",
        headers=owner.auth,
        json={
            "name": " ",
            "price": -1,
            "extra_groups": [{"name": "Sauce", "extras": [{"name": "Hot"}, {"price": "x"}]}],
        },
    )

    body = await check(response, 422, "validation_failed")
    assert body["errors"] == {
        "name": ["Must not be blank."],
        "price": ["Must be 0 or more."],
        "category_id": ["This field is required."],
        "extra_groups.0.extras.1.name": ["This field is required."],
        "extra_groups.0.extras.1.price": ["Must be a number."],
    }


@pytest.mark.parametrize("body", [b"[]", b"1", b'"x"', b"null", b"true"])
async def test_json_that_is_no_object(client, owner, store_id, body):
    response = await client.post(
        f"/api/v1/restaurants/{store_id}/menu/categories",
        headers={**owner.auth, "Content-Type": "application/json"},
        data=body,
    )

    told = await check(response, 422, "validation_failed")
    assert told["errors"] == {"body": ["Must be an object."]}


async def test_a_given_request_id_comes_back(client):
    response = await client.get("/api/v1/nothing", headers={"X-Request-Id": "order-7:retry.2_a"})

    assert response.headers["X-Request-Id"] == "order-7:retry.2_a"
    assert (await response.get_json())["request_id"] == "order-7:retry.2_a"


@pytest.mark.parametrize("given", ["", "a b", "x" * 101, "a\tb", "<script>", "ü"])
async def test_unsafe_request_id_is_replaced(wire, given):
    headers = [(b"x-request-id", given.encode("latin-1"))]

    _, answered, body = await wire("GET", "/api/v1/nothing", headers=headers)

    assert answered["x-request-id"] != given
    assert len(answered["x-request-id"]) == 32
    assert orjson.loads(body)["request_id"] == answered["x-request-id"]


@pytest.mark.parametrize(
    "error",
    [
        errors.BadRequest(),
        errors.Unauthenticated(),
        errors.Forbidden(extras={"reason": "x"}),
        errors.NotFound(),
        errors.Conflict("The category has items.", extras={"items_count": 3}),
        errors.ValidationFailed(status=["This is wrong."]),
        errors.RateLimited(0),
        errors.Unavailable(),
    ],
)
async def test_service_error_becomes_envelope(new_client, error):
    group = Routes("Raising", callers=PUBLIC, is_documented=False)

    async def fail() -> dict[str, str]:
        """Fail."""
        raise error

    group.get("/raising")(fail)

    response = await new_client(group).get("/api/v1/raising")

    body = await check(response, error.status, error.code)
    assert body == {**error.envelope(), "request_id": body["request_id"]}
    for name, value in error.headers.items():
        assert response.headers[name] == value


@pytest.mark.parametrize("path", ["/api/v1/me", "/api/v1/nothing", "/api/v1", "/api/v1/me/"])
async def test_head_answers_like_get_without_body(wire, owner, path):
    headers = [(b"authorization", owner.auth["Authorization"].encode()), (b"x-request-id", b"same")]

    status, given, body = await wire("HEAD", path, headers=headers)
    status_of_get, given_by_get, body_of_get = await wire("GET", path, headers=headers)

    assert (status, body) == (status_of_get, b"")
    assert int(given["content-length"]) == len(body_of_get) > 0
    assert set(given) == set(given_by_get)


@faulty.post("/faulty/store")
async def store_it(body: Note) -> dict[str, object]:
    """Ask the database for a text as it came."""
    cast = await sql.fetch_value("SELECT $1::text", body.text)
    return {"text": cast, "document": await sql.fetch_value("SELECT $1::jsonb", orjson.dumps(body.text).decode())}


async def test_unstorable_text_returns_400(new_client):
    response = await new_client(faulty).post("/api/v1/faulty/store", json={"text": "a\x00b"})

    body = await check(response, 400, "bad_request")
    assert body["message"] == "The request contains characters that cannot be stored, such as NUL."


async def test_failed_handler_writes_nothing(new_client, owner):
    group = Routes("Writing", callers=OWNER, is_documented=False)

    async def write(caller: Caller) -> dict[str, str]:
        """Write, then fail."""
        async with sql.transaction():
            await sql.execute("UPDATE core_owner SET name = 'changed' WHERE id = $1", caller.owner_id)
            raise RuntimeError

    group.post("/writing", scope="any")(write)

    response = await new_client(group).post("/api/v1/writing", headers=owner.auth)

    assert response.status_code == 500
    assert await sql.fetch_value("SELECT name FROM core_owner WHERE id = $1", owner.id) == "Test Owner"


@pytest.mark.parametrize("path", ["/restaurants%2F1", "/restaurants/1%2fmenu", "/me%2F"])
async def test_an_encoded_slash_divides_no_segments(app, path):
    # Test clients decode it themselves.
    sent = []

    async def send(message):
        sent.append(message)

    decoded = f"/api/v1{path}".replace("%2F", "/").replace("%2f", "/")
    scope = {"type": "http", "method": "GET", "path": decoded, "raw_path": f"/api/v1{path}".encode()}
    await app({**scope, "query_string": b"", "headers": [], "client": ("127.0.0.1", 1)}, None, send)

    assert sent[0]["status"] == 404


async def test_compressed_bodies_are_refused(new_client):
    client = new_client(faulty)
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}

    refused = await client.post("/api/v1/faulty/note", headers=headers, data=b"\x1f\x8b")
    taken = await client.post("/api/v1/faulty/note", headers={"Content-Encoding": "identity"}, json={"text": "x"})

    assert (refused.status_code, refused.headers["Accept-Encoding"]) == (415, "identity")
    assert taken.status_code == 201


async def test_empty_values_in_a_query_are_not_given(client, owner, store):
    path = f"/api/v1/restaurants/{store.id}/orders?status=&type=&payment_status=&is_paid=&from=&min_total=&sort="

    assert (await client.get(path, headers=owner.auth)).status_code == 200
