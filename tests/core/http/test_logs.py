"""Nobody who reads the logs finds a secret in them."""

import io
import json
import sys

import pytest
import structlog
from comanda.accounts import tokens
from comanda.observability import configure_logging, redacted

SECRET = tokens.generate("own_")


@pytest.fixture
def logged(app, monkeypatch):
    """Collect what is logged as JSON; give the test suite's own logging back at the end."""
    stream = io.StringIO()

    def configure(log_format="json"):
        monkeypatch.setattr(sys, "stderr", stream)
        configure_logging("info", log_format)
        return stream

    yield configure
    monkeypatch.undo()
    structlog.reset_defaults()
    configure_logging("warning", "json")


@pytest.mark.parametrize("prefix", ["own_", "sf_", "drv_", "cus_", "stf_", "app_", "rt_"])
@pytest.mark.parametrize("text", ["{}", "Bearer {}", "token={}&x=1", '"{}"', "a {} b", "/x/{}/y", "x={}"])
def test_tokens_are_masked_wherever_they_stand(prefix, text):
    token = tokens.generate(prefix)

    masked = redacted(text.format(token))

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
        ("/api/v1/restaurants/7/orders/8", "/api/v1/restaurants/7/orders/8"),
        ("the town_hall and my own_thing", "the town_hall and my own_thing"),
        ("", ""),
    ],
)
def test_what_is_secret_and_what_is_not(text, masked):
    assert redacted(text) == masked


def test_secrets_are_masked_at_any_depth(logged):
    stream = logged()

    structlog.get_logger("deep").warning(
        "deep", headers={"Authorization": f"Bearer {SECRET}"}, rows=[{"token": SECRET}, (SECRET,)], raw=SECRET.encode()
    )

    assert "deep" in stream.getvalue()
    assert SECRET not in stream.getvalue()


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
