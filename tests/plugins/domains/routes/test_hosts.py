"""The hosts of a store over REST: registered, proven by DNS, held by one store, removed."""

import asyncio

import pytest
from comanda.platform.db import sql
from comanda_notifications.settings import get_tracking_url
from comanda_payments.services.providers.payment_links import get_payment_url
from comanda_storefront.services.links import build_store_url, build_tracking_url

from tests.plugins.domains.conftest import publish


async def test_own_domain_answers_after_its_proof(shop, domain, name_server, clock):
    host = await shop.add_host(domain.upper() + ".")
    early = await shop.check_host(host)
    again = await shop.check_host(host)
    publish(name_server, host)
    clock.advance(seconds=5)
    proven = await shop.check_host(host)

    assert (host["name"], host["is_proven"], host["url"]) == (domain, False, f"http://{domain}/")
    assert host["dns_record"]["name"] == f"_comanda.{domain}"
    assert (early.status, early["reason"], again["reason"]) == (409, "record_not_found", "checked_just_now")
    assert (proven.status, proven["is_proven"], proven["is_main"]) == (200, True, True)
    assert name_server.asked == [f"_comanda.{domain}"] * 2
    assert await sql.fetch_value("SELECT count(*) FROM domains_host WHERE name = $1", domain) == 1


async def test_record_of_another_store_proves_nothing(shop, other_shop, domain, name_server):
    host = await shop.add_host(domain)
    publish(name_server, await other_shop.add_host(domain))

    reply = await shop.check_host(host)

    assert (reply.status, reply["reason"]) == (409, "record_not_found")
    assert (await shop.get(f"/hosts/{host['id']}"))["is_proven"] is False


async def test_host_that_is_not_proven_blocks_nobody(shop, other_shop, domain, name_server):
    await shop.add_host(domain)

    assert (await other_shop.prove_host(domain, name_server))["is_proven"] is True


async def test_proven_host_belongs_to_one_store(shop, other_shop, domain, name_server, clock):
    held = await shop.prove_host(domain, name_server)
    wanted = await other_shop.add_host(domain)
    publish(name_server, wanted)

    refused = await other_shop.check_host(wanted)
    name_server.texts[held["dns_record"]["name"]].remove(held["dns_record"]["value"])
    clock.advance(seconds=5)
    taken = await other_shop.check_host(wanted)

    assert (refused.status, refused["reason"]) == (409, "proven_by_another")
    assert (taken.status, taken["is_proven"]) == (200, True)
    assert (await shop.get(f"/hosts/{held['id']}"))["is_proven"] is False


async def test_two_proofs_at_once_have_one_winner(shop, other_shop, domain, name_server):
    hosts = [await each.add_host(domain) for each in (shop, other_shop)]
    for host in hosts:
        publish(name_server, host)

    replies = await asyncio.gather(shop.check_host(hosts[0]), other_shop.check_host(hosts[1]))

    assert sorted(reply.status for reply in replies) == [200, 409]
    proven = "SELECT count(*) FROM domains_host WHERE name = $1 AND proven_at IS NOT NULL"
    assert await sql.fetch_value(proven, domain) == 1


async def test_silent_name_server_is_unavailable(shop, domain, name_server, monkeypatch):
    monkeypatch.setattr("comanda_domains.services.hosts.TIMEOUT_SECONDS", 0.2)
    name_server.is_silent = True
    host = await shop.add_host(domain)

    reply = await shop.check_host(host)

    assert (reply.status, reply["code"]) == (503, "unavailable")


async def test_subdomain_of_the_operator_answers_at_once(shop, other_shop, base_domain):
    host = await shop.add_host(f"roma.{base_domain}")
    taken = await other_shop.send("POST", "/hosts", {"name": f"ROMA.{base_domain}."})

    assert (host["is_proven"], host["dns_record"]) == (True, None)
    assert (taken.status, taken["errors"]["name"]) == (422, ["This name is already in use."])
    assert (await other_shop.get("/hosts"))["hosts"] == []
    assert (await shop.get("/hosts"))["base_domain"] == base_domain


@pytest.mark.parametrize("name", ["{}", "www.{}", "login.{}", "a.roma.{}", "xn--rma-sna.{}"])
async def test_name_of_the_operator_is_refused(shop, base_domain, name):
    reply = await shop.send("POST", "/hosts", {"name": name.format(base_domain)})

    assert (reply.status, reply["errors"]["name"]) == (422, ["This name belongs to the platform."])
    assert (await shop.get("/hosts"))["hosts"] == []


@pytest.mark.parametrize("name", ["comanda.test", "COMANDA.test.", "localhost", "127.0.0.1", "roma", "a.test:80"])
async def test_name_that_no_store_can_have_is_refused(shop, name):
    reply = await shop.send("POST", "/hosts", {"name": name})

    assert reply.status == 422
    assert list(reply["errors"]) == ["name"]
    assert (await shop.get("/hosts"))["hosts"] == []


async def test_host_of_another_owner_is_not_found(shop, other_shop, domain, name_server):
    host = await shop.prove_host(domain, name_server)

    for method, path in [("GET", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/check")]:
        body = {"redirects": True} if method == "PATCH" else None
        assert (await other_shop.send(method, f"/hosts/{host['id']}{path}", body)).status == 404
    assert (await shop.get(f"/hosts/{host['id']}")).document == host


async def test_store_has_at_most_five_hosts(shop, domain):
    for number in range(5):
        await shop.add_host(f"a{number}.{domain}")

    more = await shop.send("POST", "/hosts", {"name": domain})
    twice = await shop.send("DELETE", f"/hosts/{(await shop.get('/hosts'))['hosts'][0]['id']}")
    again = await shop.send("POST", "/hosts", {"name": f"a4.{domain}"})

    assert (more.status, more["limits"]) == (409, {"hosts": 5})
    assert (twice.status, again.status) == (204, 422)


async def test_first_proven_host_is_the_main_one(shop, domain, name_server, clock):
    main = await shop.prove_host(domain, name_server)
    clock.advance(seconds=1)
    second = await shop.prove_host(f"www.{domain}", name_server)
    before = (await shop.get("/hosts"))["hosts"]
    await shop.send("DELETE", f"/hosts/{main['id']}")
    after = (await shop.get("/hosts"))["hosts"]

    assert [(each["name"], each["is_main"]) for each in before] == [(domain, True), (f"www.{domain}", False)]
    assert [(each["id"], each["is_main"]) for each in after] == [(second["id"], True)]


@pytest.mark.parametrize("spelling", [str, str.upper])
async def test_proxy_learns_of_proven_hosts(shop, client, domain, name_server, spelling):
    waiting = await shop.add_host(f"not-yet.{domain}")
    host = await shop.prove_host(domain, name_server)

    async def ask(name):
        return (await client.get("/store-hosts/ask", query_string={"domain": name})).status_code

    assert await ask(spelling(host["name"])) == 200
    assert [await ask(name) for name in (waiting["name"], "comanda.test", "", "a" * 5000)] == [404] * 4
    assert (await client.get("/store-hosts/ask")).status_code == 404


async def test_links_of_the_store_have_its_host(shop, domain, name_server, client, owner):
    order = await shop.order({"item_id": shop.soup["id"], "quantity": 1})
    await shop.prove_host(domain, name_server)

    stores = await (await client.get("/api/v1/restaurants", headers=owner.auth)).get_json()

    assert [each["url"] for each in stores["data"]] == [f"http://{domain}/"]
    assert build_store_url(shop.slug, "5") == f"http://{domain}/?table=5"
    for url in (build_tracking_url, get_tracking_url):
        assert url(shop.id, order["track_token"]) == f"http://{domain}/t/{order['track_token']}"
    assert get_payment_url(shop.id, order["track_token"]) == f"http://{domain}/pay/{order['track_token']}"
