"""Requests with the host of a store: its pages answer there, and nothing of the platform does."""

import orjson
import pytest
from comanda.devkit.testing.polling import await_condition
from comanda.platform import runtime as runtime_module

HTML = (b"accept", b"text/html,*/*")
NOT_THERE = [
    "/dashboard",
    "/dashboard/",
    "/dashboard/stores",
    "//dashboard",
    "/t/../dashboard",
    "/sign-in",
    "/setup/x",
    "/account/security",
    "/outbox/",
    "/docs/",
    "/developers/",
    "/kitchen/",
    "/till/",
    "/driver/",
    "/oauth/authorize",
    "/.well-known/oauth-authorization-server",
    "/mcp/server-card",
    "/api/v1",
    "/api/v1/restaurants",
    "/api/v1/openapi.json",
    "/api/v1/api/v1/restaurants",
    "/metrics",
    "/readyz",
    "/healthz",
    "/store-hosts/ask",
    "/s/another-store",
]


@pytest.fixture
async def host(shop, domain, name_server):
    return await shop.prove_host(domain, name_server)


@pytest.mark.parametrize("path", NOT_THERE)
async def test_platform_does_not_answer_at_host_of_store(visit, owner, host, path):
    token = (b"authorization", owner.auth["Authorization"].encode())

    reply = await visit(path, host["name"], headers=[token, HTML])

    assert reply.status == 404
    assert owner.auth["Authorization"].removeprefix("Bearer ") not in reply.text


@pytest.mark.parametrize("path", ["/mcp", "/mcp/storefront", "/oauth/token", "/sign-in", "/api/v1/restaurants"])
async def test_platform_takes_nothing_at_host_of_store(visit, owner, host, path):
    headers = [(b"authorization", owner.auth["Authorization"].encode()), (b"content-type", b"application/json")]

    reply = await visit(path, host["name"], method="POST", headers=headers, body=b"{}")

    assert reply.status == 404


async def test_host_shows_pages_of_its_store(visit, shop, host):
    start = await visit("/", host["name"])
    menu = await visit("/menu", host["name"])
    below = await visit(f"/s/{shop.slug}/menu", host["name"])
    text = await visit(f"/s/{shop.slug}.md", host["name"])

    assert [start.status, menu.status, below.status, text.status] == [200, 200, 200, 200]
    assert "Soup" in menu.text
    assert f'<link rel="canonical" href="http://{host["name"]}/menu">' in menu.text
    assert f'<link rel="canonical" href="http://{host["name"]}/">' in start.text
    assert f"<http://{host['name']}/>" in text.text


async def test_host_does_not_show_pages_of_other_stores(visit, other_shop, host):
    assert (await visit(f"/s/{other_shop.slug}", "comanda.test")).status == 200
    assert (await visit(f"/s/{other_shop.slug}", host["name"])).status == 404
    assert (await visit(f"/{other_shop.slug}", host["name"])).status == 404


@pytest.mark.parametrize("spelling", ["{}", "{}:8443", "{}.", "{}.:80"])
@pytest.mark.parametrize("change", [str, str.upper])
async def test_other_spellings_are_the_same_host(visit, host, spelling, change):
    name = change(spelling.format(host["name"]))

    page = await visit("/menu", name)

    assert page.status == 200
    assert f'href="http://{host["name"]}/menu"' in page.text
    assert (await visit("/dashboard", name, headers=[HTML])).status == 404


async def test_target_that_is_a_whole_url_names_the_host(visit, host):
    name = host["name"]

    own = await visit(f"http://{name}/menu", "comanda.test")
    hidden = await visit(f"http://{name}/dashboard", "comanda.test", headers=[HTML])
    dashboard = await visit("http://comanda.test/dashboard", name, headers=[HTML])

    assert (own.status, hidden.status) == (200, 404)
    assert (dashboard.status, dashboard.headers["location"][:8]) == (303, "/sign-in")


@pytest.mark.parametrize("path", ["/", "/menu", "/dashboard", "/api/v1", "/own/comanda.css"])
async def test_second_host_is_refused(visit, host, path):
    for hosts in [(host["name"], "comanda.test"), ("comanda.test", host["name"]), (host["name"], host["name"])]:
        reply = await visit(path, *hosts)

        assert (reply.status, orjson.loads(reply.body)["code"]) == (400, "bad_request")


@pytest.mark.parametrize("name", ["x-forwarded-host", "x-host", "x-original-host", "forwarded", "x-http-host-override"])
async def test_forwarded_host_is_not_read(visit, shop, host, name):
    value = f"host={host['name']}" if name == "forwarded" else host["name"]
    evil = [(name.encode(), b"evil.example")]

    shared = await visit("/", "comanda.test", headers=[(name.encode(), value.encode())])
    own = await visit("/", host["name"], headers=evil)

    assert "Soup" not in shared.text
    assert own.status == 200
    assert "evil.example" not in own.text


@pytest.mark.parametrize("value", ["bücher.example", "\uff50izza.example", "{}/", "{}@comanda.test", "{} ", "{}\n"])
async def test_host_that_is_none_is_refused(visit, host, value):
    reply = await visit("/", value.format(host["name"]))

    assert (reply.status, orjson.loads(reply.body)["code"]) == (400, "bad_request")


@pytest.mark.parametrize("name", ["unknown.example", "x.{}", "{}.evil.example", "127.0.0.1", "[::1]", "localhost"])
async def test_unknown_host_answers_as_before(visit, shop, host, name):
    start = await visit("/", name.format(host["name"]))

    assert start.status == 200
    assert "Soup" not in start.text
    assert (await visit("/dashboard", name.format(host["name"]), headers=[HTML])).status == 303


async def test_host_that_is_not_proven_does_not_answer(visit, shop, domain, name_server):
    await shop.add_host(domain)

    page = await visit("/", domain)

    assert "Soup" not in page.text
    assert domain not in (await visit(f"/s/{shop.slug}", "comanda.test")).text


async def test_removal_works_at_once_and_by_notification(visit, shop, host):
    assert (await visit("/menu", host["name"])).status == 200

    reply = await shop.send("DELETE", f"/hosts/{host['id']}")

    assert reply.status == 204
    hosts = runtime_module.registry().store_hosts

    async def is_gone():
        return hosts.find(host["name"]) is None

    await await_condition(is_gone, "the host to be gone", seconds=10)
    assert (await visit("/menu", host["name"], headers=[HTML])).status == 404
    assert f'href="http://comanda.test/s/{shop.slug}/menu"' in (await visit(f"/s/{shop.slug}/menu", "a.test")).text


async def test_page_at_shared_address_names_own_host(visit, shop, domain, name_server):
    before = await visit(f"/s/{shop.slug}", "comanda.test")
    await shop.prove_host(domain, name_server)

    after = await visit(f"/s/{shop.slug}", "comanda.test", headers=[HTML])

    assert f'href="http://comanda.test/s/{shop.slug}"' in before.text
    assert after.status == 200
    assert f'href="http://{domain}/"' in after.text


async def test_shared_address_redirects_browsers_if_asked(visit, shop, host):
    await shop.send("PATCH", f"/hosts/{host['id']}", {"redirects": True})
    await runtime_module.registry().store_hosts.renew()
    path = f"/s/{shop.slug}"

    start = await visit(path, "comanda.test", headers=[HTML], query=b"table=5")
    menu = await visit(f"{path}/menu", "comanda.test", headers=[HTML])
    script = await visit(f"{path}/account", "comanda.test", headers=[(b"accept", b"*/*")])
    preview = await visit(path, "comanda.test", headers=[HTML], query=b"preview=x")
    own = await visit(path, host["name"], headers=[HTML])

    assert (start.status, start.headers["location"]) == (302, f"http://{host['name']}/?table=5")
    assert (menu.status, menu.headers["location"]) == (302, f"http://{host['name']}/menu")
    assert [script.status, preview.status, own.status] == [200, 404, 200]


async def test_redirect_leads_to_no_other_host(visit, shop, host):
    await shop.send("PATCH", f"/hosts/{host['id']}", {"redirects": True})
    await runtime_module.registry().store_hosts.renew()

    for below in ["/evil.example", "\\evil.example", "@evil.example", "\r\nSet-Cookie: a=b", "ü"]:
        reply = await visit(f"/s/{shop.slug}/{below}", "comanda.test", headers=[HTML])

        assert reply.status == 302
        assert reply.headers["location"].startswith(f"http://{host['name']}/")
        assert reply.headers["location"].isascii()
        assert not {"\r", "\n"} & set(reply.headers["location"])


async def test_redirect_of_an_encoded_slug_ends_at_the_host(visit, shop, host):
    await shop.send("PATCH", f"/hosts/{host['id']}", {"redirects": True})
    await runtime_module.registry().store_hosts.renew()
    raw = f"/s/%{ord(shop.slug[0]):x}{shop.slug[1:]}/menu".encode()

    reply = await visit(f"/s/{shop.slug}/menu", "comanda.test", headers=[HTML], raw=raw)

    assert (reply.status, reply.headers["location"]) == (302, f"http://{host['name']}/menu")


async def test_robots_and_sitemap_are_of_the_host(visit, shop, host):
    robots = await visit("/robots.txt", host["name"])
    own = await visit("/sitemap.xml", host["name"])
    shared = [await visit(f"/sitemap-{part}.xml", "comanda.test") for part in (0, 1)]

    assert f"Sitemap: http://{host['name']}/sitemap.xml" in robots.text
    assert own.text.count("<loc>") == 1
    assert f"<loc>http://{host['name']}/</loc>" in own.text
    assert all(host["name"] not in each.text and f"/s/{shop.slug}<" not in each.text for each in shared)


async def test_guest_orders_and_pays_at_the_host(visit, shop, host):
    name = host["name"]
    headers = [
        (b"content-type", b"application/json"),
        (b"origin", f"http://{name}".encode()),
        (b"sec-fetch-site", b"same-origin"),
    ]
    order = {
        "type": "takeaway",
        "items": [{"item_id": shop.soup["id"], "quantity": 1}],
        "customer_name": "Ada",
        "client_uuid": "7b0f6a3e-2f0b-4a51-9d0e-2a4b7c1d9e55",
    }

    placed = await visit(f"/s/{shop.slug}/orders", name, method="POST", headers=headers, body=orjson.dumps(order))
    token = orjson.loads(placed.body)["track_token"]
    tracking = await visit(f"/t/{token}", name)
    foreign = [(b"origin", b"http://evil.example") if each[0] == b"origin" else each for each in headers]
    refused = await visit(f"/s/{shop.slug}/orders", name, method="POST", headers=foreign, body=orjson.dumps(order))

    assert placed.status == 201, placed
    assert (tracking.status, refused.status) == (200, 403)
    assert "Soup" in tracking.text


async def test_policy_allows_photos_of_the_installation(visit, shop, host):
    page = await visit("/menu", host["name"])
    problem = await visit("/nowhere", host["name"])

    assert page.headers["content-security-policy"].count("img-src 'self' data: http://comanda.test;") == 1
    assert "img-src 'self' data: http://comanda.test;" in problem.headers["content-security-policy"]
    assert "script-src 'self'" in page.headers["content-security-policy"]


async def test_cookies_are_of_the_host_alone(visit, host):
    reply = await visit("/language", host["name"], method="POST", body=b"language=de", headers=[
        (b"content-type", b"application/x-www-form-urlencoded"), (b"sec-fetch-site", b"same-origin"),
    ])  # fmt: skip

    assert reply.status < 400
    assert "set-cookie" in reply.headers
    assert "domain=" not in reply.headers["set-cookie"].lower()


async def test_profile_for_shopping_agents_names_host_of_store(visit, shop, host):
    assert (await visit("/.well-known/ucp", host["name"])).status == 404
    assert (await shop.send("PUT", "/settings/ucp", {"is_offered": True})).status == 200

    profile = orjson.loads((await visit("/.well-known/ucp", host["name"])).body)
    agent = (b"ucp-agent", b'profile="https://agent.example/profile"')
    headers = [agent, (b"content-type", b"application/json")]
    found = await visit("/ucp/catalog/search", host["name"], method="POST", headers=headers, body=b'{"query": "soup"}')

    (service,) = profile["ucp"]["services"]["dev.ucp.shopping"]
    assert service["endpoint"] == f"http://{host['name']}/ucp"
    assert [each["title"] for each in orjson.loads(found.body)["products"]] == ["Soup"]
