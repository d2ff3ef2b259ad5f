"""Nobody who reads the logs finds a secret in them."""

import asyncio
import io
import json
import logging
import re
import subprocess
import sys

import pytest
import structlog
from comanda.accounts import tokens
from comanda.basics.redaction import redact
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from comanda.platform.observability import PROCESS, configure_logging
from installed_plugins import get_registry
from quart import Quart

SECRET = tokens.generate_token("own_")
REGISTRY = get_registry()


def page_rules():
    """List the addresses of pages, as their blueprints declare them."""
    app = Quart("rules", static_folder=None)
    for pages in REGISTRY.pages:
        app.register_blueprint(pages.blueprint)
    return [rule.rule for rule in app.url_map.iter_rules()]


# Ids of tokens are no secrets, tokens in a path are.
TOKEN_RULES = sorted(
    rule
    for rule in {*(route.full_path for route in REGISTRY.routes), *page_rules()}
    if re.search(r"[<{](\w+:)?\w*(token|secret|signature|code|key)[>}]", rule, re.IGNORECASE)
)


@pytest.fixture
def logged(app, monkeypatch):
    """Collect what is logged as JSON; give the test suite's own logging back at the end."""
    stream = io.StringIO()

    def configure(log_format="json", level="info"):
        monkeypatch.setattr(sys, "stderr", stream)
        configure_logging(level, log_format)
        return stream

    yield configure
    monkeypatch.undo()
    structlog.reset_defaults()
    configure_logging("warning", "json")


@pytest.mark.parametrize("prefix", ["own_", "sf_", "drv_", "cus_", "stf_", "app_", "rt_"])
@pytest.mark.parametrize("text", ["{}", "Bearer {}", "token={}&x=1", '"{}"', "a {} b", "/x/{}/y", "x={}"])
def test_tokens_are_masked_wherever_they_stand(prefix, text):
    token = tokens.generate_token(prefix)

    masked = redact(text.format(token))

    assert token not in masked
    assert token[len(prefix) : len(prefix) + 20] not in masked
    assert masked.startswith(text.partition("{}")[0])


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_…"),
        ("Authorization: Bearer abcdefgh12345678", "Authorization: Bearer …"),
        ("page=2&api_token=anything+at+all&x=1", "page=2&api_token=…&x=1"),
        ("api_token=x", "api_token=…"),
        ("search=Ada+Lovelace&page=2", "search=…&page=2"),
        ("page=2&search=%2B351912", "page=2&search=…"),
        ("/pay/kd83hF", "/pay/…"),
        ("/api/v1/track/Kq3xV9c-T1zQ_mA0", "/api/v1/track/…"),
        ("/t/Kq3xV9c-T1zQmA0/events", "/t/…/events"),
        ("expires=1773514931&signature=9fe2ab", "expires=1773514931&signature=…"),
        ("sig=9fe2&page=2&token=abc", "sig=…&page=2&token=…"),
        (
            "access_token=abc&client_secret=x&code=y&nonce=z&key=k",
            "access_token=…&client_secret=…&code=…&nonce=…&key=…",
        ),
        ("accessToken=abc&X-Amz-Signature=1f&OTP=123456", "accessToken=…&X-Amz-Signature=…&OTP=…"),
        ("s%69gnature=9fe2&api%5Ftoken=abc&%74oken=x", "s%69gnature=…&api%5Ftoken=…&%74oken=…"),
        ("filter[token]=abc&token[]=x", "filter[token]=…&token[]=…"),
        (
            "GET /delivery-photos/7?expires=1&signature=9fe2 HTTP/1.1",
            "GET /delivery-photos/7?expires=1&signature=… HTTP/1.1",
        ),
        ("phone=%2B351912&email=ada%40example.com", "phone=…&email=…"),
        ("page=2&status=new&per_page=30&design=x", "page=2&status=new&per_page=30&design=x"),
        ('{"password": "hunter2", "name": "Ada"}', '{"password": "…", "name": "Ada"}'),
        ("{'client_secret': 'a\\'b', 'code': 'not_found'}", "{'client_secret': '…', 'code': 'not_found'}"),
        ("postgres://comanda:hunter2@db/comanda", "postgres://comanda:…@db/comanda"),
        ("redis://:hunter2@cache:6379/0", "redis://:…@cache:6379/0"),
        ("http://localhost:8000/docs", "http://localhost:8000/docs"),
        ("/api/v1/restaurants/7/orders/8", "/api/v1/restaurants/7/orders/8"),
        ("the town_hall and my own_thing", "the town_hall and my own_thing"),
        ("", ""),
    ],
)
def test_secrets_are_recognized(runtime, text, masked):
    assert redact(text) == masked


def test_secrets_are_masked_at_any_depth(logged):
    stream = logged()

    structlog.get_logger("deep").warning(
        "deep", headers={"Authorization": f"Bearer {SECRET}"}, rows=[{"token": SECRET}, (SECRET,)], raw=SECRET.encode()
    )

    assert "deep" in stream.getvalue()
    assert SECRET not in stream.getvalue()


def test_names_of_events_that_begin_like_tokens_are_logged(logged, runtime):
    stream = logged()

    structlog.get_logger("apps").warning("app_installed", purpose="marketplace.app_installed", text=f"app_x{SECRET}")
    structlog.get_logger("apps").warning(SECRET)

    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert (lines[0]["event"], lines[0]["purpose"]) == ("app_installed", "marketplace.app_installed")
    assert lines[0]["text"] == "app_…"
    assert lines[1]["event"] == "own_…"


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_secrets_in_a_traceback_are_masked(logged, log_format):
    stream = logged(log_format)

    try:
        raise ValueError(f"no such token {SECRET}")
    except ValueError:
        structlog.get_logger("trace").exception("failed")

    assert "no such token own_" in stream.getvalue()
    assert "Traceback" in stream.getvalue()
    assert SECRET not in stream.getvalue()


def test_values_are_masked_by_their_names(logged):
    stream = logged()

    structlog.get_logger("named").warning(
        "named", token="abc", client_secret="def", code="not_found", key="order", pin=7
    )

    line = json.loads(stream.getvalue())
    assert (line["token"], line["client_secret"]) == ("…", "…")
    assert (line["code"], line["key"], line["pin"]) == ("not_found", "order", 7)


@pytest.mark.parametrize("level", ["debug", "info"])
@pytest.mark.parametrize("log_format", ["json", "console"])
def test_library_logs_are_masked(logged, level, log_format):
    stream = logged(log_format, level)

    logging.getLogger("hypercorn.error").error("Error in ASGI: GET /t/Kq3xV9c-T1zQmA0?signature=%s", "9fe2ab")
    try:
        raise ValueError(f"no such token {SECRET}")
    except ValueError:
        logging.getLogger("quart.app").exception("Exception on request GET /pay/Kq3xV9c-T1zQmA0")

    assert "Exception on request GET /pay/…" in stream.getvalue()
    assert "GET /t/…?signature=…" in stream.getvalue()
    assert "Traceback" in stream.getvalue()
    for secret in (SECRET, "T1zQmA0", "9fe2ab"):
        assert secret not in stream.getvalue()


async def test_no_secret_of_a_query_or_a_path_is_logged_at_debug_level(client, owner, logged):
    """Each way in: routes, pages, what nobody answers."""
    stream = logged("json", "debug")
    secret = "S3cretS3cretS3cretS3cret"
    names = ("api_token", "token", "signature", "sig", "code", "key", "nonce", "client_secret", "api%5Ftoken")

    for path in (
        "/api/v1/restaurants",
        "/api/v1/delivery-photos/1",
        "/api/v1/nothing",
        "/docs/",
        "/nothing",
        "/metrics",
    ):
        for name in names:
            await client.get(f"{path}?page=1&{name}={secret}")
    for path in ("/api/v1/track/{}", "/t/{}", "/t/{}/events", "/pay/{}", "/api/v1/pay/{}/start", "/track/{}/x"):
        await client.get(path.format(secret))

    assert stream.getvalue().count('"request"') >= len(names)
    assert secret not in stream.getvalue()


@pytest.mark.parametrize("rule", TOKEN_RULES)
def test_every_address_with_a_token_in_its_path_is_masked(rule):
    secret = re.sub(r"[<{](\w+:)?\w*(token|secret|signature|code|key)[>}]", "S3cretS3cret", rule, flags=re.IGNORECASE)
    path = re.sub(r"[<{][^>}]*[>}]", "1", secret)

    assert "S3cret" in path
    assert "S3cret" not in redact(path)


def test_there_are_addresses_with_tokens():
    assert len(TOKEN_RULES) >= 5


async def test_a_request_is_logged_without_its_secrets(client, owner, store_id, logged):
    stream = logged()

    await client.get(f"/api/v1/restaurants?api_token={owner.token}&page=1", headers={"X-Request-Id": "seen-1"})
    await client.get(f"/api/v1/nothing/{owner.token}", headers=owner.auth)
    await client.get("/api/v1/track/Kq3xV9c-T1zQ_mA0Kq3xV9c-T1zQ_mA0")

    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    first = next(line for line in lines if line.get("request_id") == "seen-1")
    assert (first["method"], first["path"], first["status"]) == ("GET", "/api/v1/restaurants", 200)
    assert first["query"] == "api_token=…&page=1"
    assert first["caller"] == f"owner:{owner.id}"
    assert owner.token not in stream.getvalue()
    assert "T1zQ_mA0" not in stream.getvalue()


async def test_library_logs_are_json(logged, monkeypatch):
    stream = logged()
    logging.getLogger("hypercorn.error").error("Broken %s", SECRET)
    logging.getLogger("taskiq.receiver.receiver").warning("task %s is not found", "x")
    asyncio.get_running_loop().call_exception_handler({"message": "Task exception", "exception": ValueError(SECRET)})

    lines = [json.loads(line) for line in stream.getvalue().splitlines()]

    assert [(line["logger"], line["level"]) for line in lines] == [
        ("hypercorn.error", "error"),
        ("taskiq.receiver.receiver", "warning"),
        ("asyncio", "error"),
    ]
    assert lines[1]["event"] == "task x is not found"
    assert "ValueError" in lines[2]["exception"]
    assert SECRET not in stream.getvalue()


def test_warnings_and_uncaught_errors_are_json_too():
    program = (
        "import threading, warnings\n"
        "from comanda.platform.observability import configure_logging, log_uncaught\n"
        "configure_logging('info', 'json'); log_uncaught()\n"
        "warnings.warn('old thing', UserWarning)\n"
        "def fail(): raise ValueError('in a thread')\n"
        "thread = threading.Thread(target=fail); thread.start(); thread.join()\n"
        "raise ValueError('at the end')\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=MAX_WAIT_SECONDS
    )

    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert done.returncode == 1
    assert "old thing" in lines[0]["event"]
    assert [line["exception"].splitlines()[-1] for line in lines[1:]] == [
        "ValueError: in a thread",
        "ValueError: at the end",
    ]


async def test_a_terminal_shows_one_short_line_per_request(client, owner, logged):
    stream = logged("console")

    await client.get("/api/v1/restaurants?page=1&api_token=secret-1", headers=owner.auth)
    await client.get("/api/v1/\x1b[31mred", headers=owner.auth)

    first, second = stream.getvalue().splitlines()
    assert re.fullmatch(
        rf"\d\d:\d\d:\d\d  GET    200 +\d+\.\d ms  /api/v1/restaurants\?page=1&api_token=…  owner:{owner.id}", first
    )
    assert " 404 " in second
    assert "\x1b" not in second


def test_process_messages_are_logged_at_every_level(monkeypatch):
    for log_format, expected in (("json", {"event": "server_ready", "message": "Ready."}), ("console", "Ready.")):
        stream = io.StringIO()
        monkeypatch.setattr(sys, "stderr", stream)
        configure_logging("error", log_format)

        PROCESS.write("server_ready", message="Ready.")

        line = stream.getvalue().strip()
        if log_format == "json":
            assert expected.items() <= json.loads(line).items()
        else:
            assert line == expected
    monkeypatch.undo()
    structlog.reset_defaults()
    configure_logging("warning", "json")
