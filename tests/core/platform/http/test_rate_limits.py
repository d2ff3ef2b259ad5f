"""120 requests a minute for each credential, told on every answer, shared by processes where Redis is."""

import asyncio
from itertools import chain

import orjson
import pytest
from comanda.contracts.requests.routes import PUBLIC, Routes
from comanda.platform.db import sql
from comanda.platform.http import rate_limits
from comanda.platform.http.rate_limits import LimitExceeded, RateLimiter
from comanda.platform.http.redis_counter import RedisCounter
from redis.asyncio import Redis


class Moment:
    """The time as the limiter reads it."""

    def __init__(self, seconds):
        self.seconds = seconds

    def time(self):
        return self.seconds

    def monotonic(self):
        return self.seconds


@pytest.fixture
def moment(monkeypatch):
    """Stop the limiter's time ten seconds into a window."""
    made = Moment(60_010.0)
    monkeypatch.setattr(rate_limits, "time", made)
    return made


@pytest.fixture
def round_trips(monkeypatch):
    """Record what limiters add to Redis, one entry per round trip."""
    made = []
    add = RedisCounter.add

    async def record(self, amounts, seconds):
        made.append(dict(amounts))
        return await add(self, amounts, seconds)

    monkeypatch.setattr(RedisCounter, "add", record)
    return made


async def spend(limiter, bucket, count, limit=5):
    return [await limiter.hit(bucket, limit) for _ in range(count)]


def rate(response):
    return int(response.headers["X-RateLimit-Limit"]), int(response.headers["X-RateLimit-Remaining"])


async def test_a_bucket_counts_down_and_then_refuses(moment):
    limiter = RateLimiter()

    allowed = await spend(limiter, "a", 5)
    with pytest.raises(LimitExceeded) as refused:
        await limiter.hit("a", 5)

    assert [allowance.remaining for allowance in allowed] == [4, 3, 2, 1, 0]
    assert refused.value.headers["Retry-After"] == "50"
    assert refused.value.headers["X-RateLimit-Remaining"] == "0"
    assert refused.value.envelope()["retry_after"] == 50


async def test_buckets_are_separate(moment):
    limiter = RateLimiter()
    await spend(limiter, "a", 5)

    assert (await limiter.hit("b", 5)).remaining == 4


async def test_the_next_window_starts_anew(moment):
    limiter = RateLimiter()
    await spend(limiter, "a", 5)
    moment.seconds += 50

    assert (await limiter.hit("a", 5)).remaining == 4


async def test_retry_after_is_never_zero_and_never_too_early(moment):
    limiter = RateLimiter()
    for seconds, wait in ((60_059.999, 1), (60_059.2, 1), (60_000.0, 60), (60_000.4, 60), (60_058.5, 2)):
        moment.seconds = seconds

        assert (await limiter.hit(f"a{seconds}", 5)).reset_seconds == wait


async def test_buckets_of_the_past_are_forgotten(moment):
    limiter = RateLimiter()
    for number in range(1000):
        await limiter.hit(f"client:{number}", 5)
    moment.seconds += 60
    await limiter.hit("a", 5)

    assert len(limiter._counts) == 1


async def test_120_a_minute_for_a_credential(new_client, owner, moment):
    client = new_client(requests_per_minute=120)

    answers = [await client.get("/api/v1/me", headers=owner.auth) for _ in range(121)]

    assert [rate(answer) for answer in answers[:120]] == [(120, left) for left in range(119, -1, -1)]
    assert {answer.status_code for answer in answers[:120]} == {200}
    refused = answers[120]
    body = await refused.get_json()
    assert (refused.status_code, body["code"]) == (429, "rate_limited")
    assert rate(refused) == (120, 0)
    assert refused.headers["Retry-After"] == "50"
    assert refused.headers["X-RateLimit-Reset"] == "50"
    assert body["retry_after"] == 50
    assert body["request_id"] == refused.headers["X-Request-Id"]
    assert refused.headers["RateLimit-Policy"] == '"default";q=120;w=60'
    assert refused.headers["RateLimit"] == '"default";r=0;t=50'


async def test_each_credential_has_its_own_bucket(new_client, owner, other_owner, moment):
    client = new_client(requests_per_minute=2)
    for _ in range(3):
        await client.get("/api/v1/me", headers=owner.auth)
    second = await owner.token_with("*")

    assert (await client.get("/api/v1/me", headers=owner.auth)).status_code == 429
    assert (await client.get("/api/v1/me", headers=second)).status_code == 200
    assert (await client.get("/api/v1/me", headers=other_owner.auth)).status_code == 200


async def test_anonymous_calls_are_counted_by_address(new_client, owner, store_id, address, moment):
    client = new_client(requests_per_minute=4)
    elsewhere = {"client": ("203.0.113.9", 1)}

    answers = [
        await client.get(f"/api/v1/menu/{store_id}", scope_base=address),
        await client.get("/api/v1/nothing", scope_base=address),
        await client.get("/api/v1/me", scope_base=address),
        await client.post("/api/v1/me", scope_base=address),
        await client.get("/api/v1", scope_base=address),
    ]

    assert [answer.status_code for answer in answers] == [200, 404, 401, 405, 429]
    assert [rate(answer) for answer in answers] == [(4, 3), (4, 2), (4, 1), (4, 0), (4, 0)]
    assert (await client.get("/api/v1", scope_base=elsewhere)).status_code == 200
    assert (await client.get("/api/v1/me", headers=owner.auth, scope_base=address)).status_code == 200


async def test_tokens_that_are_not_valid_count_against_the_address(new_client, owner, address, moment):
    client = new_client(requests_per_minute=3)
    wrong = [{"Authorization": f"Bearer own_{number:046d}"} for number in range(4)]

    statuses = [(await client.get("/api/v1/me", headers=auth, scope_base=address)).status_code for auth in wrong]

    assert statuses == [401, 401, 401, 429]


async def test_a_suspended_account_is_limited_too(new_client, owner, address, moment):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)
    client = new_client(requests_per_minute=2)

    answers = [await client.get("/api/v1/me", headers=owner.auth, scope_base=address) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [403, 403, 429]
    assert [rate(answer) for answer in answers] == [(2, 1), (2, 0), (2, 0)]


@pytest.mark.parametrize(
    ("path", "status"),
    [("/api/v1/me", 401), ("/api/v1/restaurants/0", 404), ("/api/v1/nothing", 404), ("/api/v1/me/", 200)],
)
async def test_the_headers_stand_on_every_answer(new_client, owner, path, status, moment):
    headers = {} if status == 401 else owner.auth

    response = await new_client(requests_per_minute=120).get(path, headers=headers)

    assert response.status_code == status
    assert rate(response) == (120, 119)
    assert response.headers["X-RateLimit-Reset"] == "50"


async def test_health_checks_are_not_limited(new_client, address, moment):
    client = new_client(requests_per_minute=1)

    statuses = {(await client.get("/healthz", scope_base=address)).status_code for _ in range(5)}

    assert statuses == {200}


@pytest.mark.parametrize(
    ("proxies", "forwarded", "counted"),
    [
        (0, "198.51.100.1", "203.0.113.5"),
        (1, "198.51.100.1", "198.51.100.1"),
        (1, "6.6.6.6, 198.51.100.1", "198.51.100.1"),
        (2, "6.6.6.6, 198.51.100.1, 10.0.0.1", "198.51.100.1"),
        (2, "198.51.100.1", "198.51.100.1"),
        (1, "", "203.0.113.5"),
        (1, "198.51.100.1:51234", "198.51.100.1"),
        (1, "[2001:db8::7]:443", "2001:db8::7"),
        (1, "2001:db8::7%eth0", "2001:db8::7"),
        (1, "198.51.100.1,,", "198.51.100.1"),
        (1, "198.51.100.1, unknown", "203.0.113.5"),
        (1, "6.6.6.6, _hidden:x", "203.0.113.5"),
        (1, " , ,", "203.0.113.5"),
        (2, "6.6.6.6, 198.51.100.1, nonsense", "198.51.100.1"),
    ],
)
async def test_the_address_is_that_before_the_proxies_we_trust(new_client, proxies, forwarded, counted):
    group = Routes("Echo", callers=PUBLIC, is_documented=False)

    async def show(call) -> dict[str, str]:
        """Tell the client's address."""
        return {"client": call.client}

    group.get("/echo")(show)
    client = new_client(group, trusted_proxies=proxies)

    answer = await client.get(
        "/api/v1/echo", headers={"X-Forwarded-For": forwarded}, scope_base={"client": ("203.0.113.5", 1)}
    )

    assert (await answer.get_json())["client"] == counted


@pytest.fixture
def echo_client(new_client):
    """Make a client of an application that tells the address it sees, and what limits count."""
    group = Routes("Echo", callers=PUBLIC, is_documented=False)

    async def show(call) -> dict[str, str]:
        """Tell the client's address."""
        return {"client": call.client, "network": call.client_network}

    group.get("/echo")(show)
    return lambda **changed: new_client(group, **changed)


@pytest.mark.parametrize(
    ("proxies", "lines", "client"),
    [
        (1, ["6.6.6.6", "198.51.100.1"], "198.51.100.1"),
        (1, ["6.6.6.6, 7.7.7.7", "198.51.100.1"], "198.51.100.1"),
        (2, ["6.6.6.6", "198.51.100.1", "10.0.0.1"], "198.51.100.1"),
        (2, ["6.6.6.6, 198.51.100.1", "10.0.0.1"], "198.51.100.1"),
        (0, ["6.6.6.6", "198.51.100.1"], "192.0.2.77"),
    ],
)
async def test_every_line_of_forwarded_addresses_is_read(echo_client, wire, proxies, lines, client):
    headers = [(b"x-forwarded-for", line.encode()) for line in lines]
    app = echo_client(trusted_proxies=proxies).app

    _, _, body = await wire("GET", "/api/v1/echo", headers=headers, to=app)

    assert orjson.loads(body)["client"] == client


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("198.51.100.1", "198.51.100.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2:0:0:0:9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:198.51.100.1", "198.51.100.1"),
        ("::1", "::/64"),
        ("local", "local"),
    ],
)
async def test_limits_count_an_ipv4_address_or_an_ipv6_network(echo_client, address, network):
    client = echo_client()

    answer = await client.get("/api/v1/echo", scope_base={"client": (address, 1)})

    assert await answer.get_json() == {"client": address, "network": network}


async def test_all_addresses_of_an_ipv6_network_share_a_bucket(echo_client, moment):
    client = echo_client(requests_per_minute=3)
    callers = [f"2001:db8:77:1::{number:x}" for number in range(1, 5)] + ["2001:db8:77:2::1"]

    statuses = [
        (await client.get("/api/v1/echo", scope_base={"client": (address, 1)})).status_code for address in callers
    ]

    assert statuses == [200, 200, 200, 429, 200]


async def test_two_processes_share_one_limit_through_redis(redis_url, moment):
    one, other = RateLimiter(redis_url), RateLimiter(redis_url)

    await spend(one, "shared", 3)
    allowance = (await spend(other, "shared", 2))[-1]

    assert allowance.remaining == 0
    for limiter in (one, other):
        with pytest.raises(LimitExceeded):
            await limiter.hit("shared", 5)
    await close(one, other)


async def count_quickly(limiter, bucket, count, limit=5):
    return [await limiter.hit(bucket, limit, is_exact=False) for _ in range(count)]


async def test_counts_of_a_process_reach_others_without_a_round_trip_per_hit(redis_url, moment, round_trips):
    one, other = RateLimiter(redis_url), RateLimiter(redis_url)

    alone = await count_quickly(one, "settled", 3)
    await count_quickly(one, "settled-too", 2)
    await asyncio.wait_for(one._settling, 120)
    first = (await count_quickly(other, "settled", 1))[0]
    await asyncio.wait_for(other._settling, 120)
    informed = (await count_quickly(other, "settled", 1))[0]

    assert [allowance.remaining for allowance in alone] == [4, 3, 2]
    # What others have counted is known after one interval.
    assert (first.remaining, informed.remaining) == (4, 0)
    assert [len(amounts) for amounts in round_trips] == [2, 1]
    with pytest.raises(LimitExceeded):
        await other.hit("settled", 5, is_exact=False)
    await close(one, other)


async def test_each_process_lets_through_at_most_one_interval_beyond_a_limit(redis_url, moment):
    limiters = [RateLimiter(redis_url) for _ in range(3)]
    passed = [await count_interval(limiters, calls=4) for _ in range(6)]

    assert 10 <= sum(passed) <= 10 + 4 * len(limiters)
    assert passed[3:] == [0, 0, 0]
    await close(*limiters)


async def count_interval(limiters, calls):
    """Send calls to each of the processes and wait for them to settle; return how many passed."""
    outcomes = [
        await asyncio.gather(*(limiter.hit("slip", 10, is_exact=False) for _ in range(calls)), return_exceptions=True)
        for limiter in limiters
    ]
    for limiter in limiters:
        await asyncio.wait_for(limiter._settling, 120)
    return sum(not isinstance(outcome, LimitExceeded) for each in outcomes for outcome in each)


async def test_next_window_starts_anew_in_all_processes(redis_url, moment):
    one, other = RateLimiter(redis_url), RateLimiter(redis_url)
    await count_quickly(one, "rolling", 5)
    await asyncio.wait_for(one._settling, 120)
    moment.seconds += 50

    renewed = await count_quickly(one, "rolling", 2)
    await asyncio.wait_for(one._settling, 120)
    await count_quickly(other, "rolling", 1)
    await asyncio.wait_for(other._settling, 120)

    assert [allowance.remaining for allowance in renewed] == [4, 3]
    assert (await count_quickly(other, "rolling", 1))[0].remaining == 1
    await close(one, other)


async def test_idle_limiter_does_not_contact_redis(redis_url, moment, round_trips):
    limiter = RateLimiter(redis_url)
    await count_quickly(limiter, "idle", 1)
    await asyncio.wait_for(limiter._settling, 120)

    assert limiter._settling.done()
    assert len(round_trips) == 1
    await close(limiter)


async def test_stopping_process_hands_over_its_counts(redis_url, moment):
    one, other = RateLimiter(redis_url), RateLimiter(redis_url)
    await count_quickly(one, "handed-over", 3)
    await close(one)

    assert (await other.hit("handed-over", 5)).remaining == 1
    await close(other)


async def test_counts_without_redis_are_added_when_it_is_back(short_lived_redis, moment, monkeypatch):
    monkeypatch.setattr(rate_limits, "PROBE_SECONDS", 0.02)
    limiter, other = RateLimiter(short_lived_redis.connection_url), RateLimiter(short_lived_redis.connection_url)
    short_lived_redis.stop()

    await limiter.hit("failing", 5)
    alone = await count_quickly(limiter, "a", 3)
    short_lived_redis.start()
    await asyncio.wait_for(limiter._settling, 120)

    assert [allowance.remaining for allowance in alone] == [4, 3, 2]
    assert (await other.hit("a", 5)).remaining == 1
    await close(limiter, other)


async def test_count_never_decreases_when_redis_loses_it(redis_url, moment):
    limiter = RateLimiter(redis_url)
    await count_quickly(limiter, "lost", 3)
    await asyncio.wait_for(limiter._settling, 120)
    async with Redis.from_url(redis_url) as client:
        await client.delete(*[key async for key in client.scan_iter("comanda:limit:lost:*")])

    await count_quickly(limiter, "lost", 1)
    await asyncio.wait_for(limiter._settling, 120)

    assert (await count_quickly(limiter, "lost", 1))[0].remaining == 0
    await close(limiter)


async def test_many_at_once_get_through_no_more_than_the_limit(redis_url):
    limiters = [RateLimiter(redis_url), RateLimiter(redis_url)]

    outcomes = await asyncio.gather(
        *(limiters[number % 2].hit("crowd", 20) for number in range(60)), return_exceptions=True
    )

    assert sum(isinstance(outcome, LimitExceeded) for outcome in outcomes) == 40
    await close(*limiters)


async def test_without_redis_each_process_counts_for_itself_and_requests_go_on(new_client, owner, short_lived_redis):
    client = new_client(requests_per_minute=3, redis_url=short_lived_redis.connection_url)
    before = await client.get("/api/v1/me", headers=owner.auth)
    short_lived_redis.stop()

    answers = [await client.get("/api/v1/me", headers=owner.auth) for _ in range(3)]

    assert before.status_code == 200
    assert [answer.status_code for answer in answers] == [200, 200, 429]


def count_waits(monkeypatch, limiter):
    """Return a list to which the buckets of each round trip to Redis are added."""
    add, waits = limiter._shared.add, []

    async def counted(amounts, seconds):
        waits.append([key.partition(":")[0] for key in amounts])
        return await add(amounts, seconds)

    monkeypatch.setattr(limiter._shared, "add", counted)
    return waits


async def test_a_redis_that_hangs_holds_up_no_more_than_one_request(monkeypatch):
    connections = []
    hung = await asyncio.start_server(lambda reader, writer: connections.append(writer), "127.0.0.1", 0)
    port = hung.sockets[0].getsockname()[1]
    limiter = RateLimiter(f"redis://127.0.0.1:{port}")
    waits = count_waits(monkeypatch, limiter)

    allowed = await spend(limiter, "a", 5)

    assert [allowance.remaining for allowance in allowed] == [4, 3, 2, 1, 0]
    assert [buckets for buckets in waits if buckets != ["probe"]] == [["a"]]
    await close(limiter)
    for writer in connections:
        writer.close()
    hung.close()


async def test_a_redis_that_is_back_counts_for_all_again(short_lived_redis, moment, monkeypatch):
    monkeypatch.setattr(rate_limits, "PROBE_SECONDS", 0.02)
    limiter, other = RateLimiter(short_lived_redis.connection_url), RateLimiter(short_lived_redis.connection_url)
    await limiter.hit("a", 9)
    short_lived_redis.stop()

    alone = await spend(limiter, "a", 2, limit=9)
    short_lived_redis.start()
    await asyncio.wait_for(limiter._settling, 120)
    together = [*await spend(limiter, "a", 1, limit=9), *await spend(other, "a", 1, limit=9)]

    assert [allowance.remaining for allowance in alone] == [7, 6]
    # The server came back empty; what was counted without it was added to it.
    assert [allowance.remaining for allowance in together] == [6, 5]
    await close(limiter, other)


async def test_no_request_waits_for_a_redis_that_is_known_to_hang(monkeypatch):
    connections = []
    hung = await asyncio.start_server(lambda reader, writer: connections.append(writer), "127.0.0.1", 0)
    limiter = RateLimiter(f"redis://127.0.0.1:{hung.sockets[0].getsockname()[1]}")
    await asyncio.gather(*(limiter.hit("a", 100) for _ in range(20)))
    waits = count_waits(monkeypatch, limiter)
    async with asyncio.timeout(120):
        while not waits:  # noqa: ASYNC110 - until the probe has begun, and hangs
            await asyncio.sleep(0.01)

    await spend(limiter, "a", 20, limit=100)

    assert {*chain.from_iterable(waits)} == {"probe"}
    await close(limiter)
    for writer in connections:
        writer.close()
    hung.close()


async def close(*limiters):
    for limiter in limiters:
        await limiter.close()
