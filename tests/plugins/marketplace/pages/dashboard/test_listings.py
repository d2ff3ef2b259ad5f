"""The directory of apps in the dashboard."""

import html
import re
from urllib.parse import parse_qs, urlsplit

PRICED = {"billing": "recurring", "price": 9, "period_days": 30, "trial_days": 14}


async def test_apps_are_found_by_words_and_category(dashboard, developer):
    await developer.publish(tagline="Stamps <b>for</b> regulars")
    await developer.publish(name="Ledger", category="accounting", redirect_uris=["https://ledger.example.com/"])

    everything = await dashboard.get("/apps?category=nonsense")
    stamps = await dashboard.get("/apps?search=stamps")
    accounting = await dashboard.get("/apps?category=accounting")
    nothing = await dashboard.get("/apps?search=unheard-of")

    assert "Loyalty Cards" in everything
    assert "Ledger" in everything
    assert "Stamps &lt;b&gt;for" in stamps
    assert "Ledger" not in stamps
    assert "Loyalty Cards" not in accounting
    assert "No apps found" in nothing


async def test_an_app_says_what_it_may_do_and_leads_to_consent(dashboard, developer):
    app = await developer.publish(**PRICED, links={"support": "https://loyalty.example.com/help"})

    page = await dashboard.get(f"/apps/{app['id']}")
    link = html.unescape(re.search(r'href="([^"]*/oauth/authorize\?[^"]*)"', page)[1])
    query = parse_qs(urlsplit(link).query)
    consent = await dashboard.client.get(f"/oauth/authorize?{urlsplit(link).query}")

    assert "every 30 days" in page
    assert "14 days free" in page
    assert "orders:read" in page
    assert "https://loyalty.example.com/help" in page
    assert query["client_id"] == [app["client_id"]]
    assert query["redirect_uri"] == app["redirect_uris"]
    assert consent.status_code == 200
    assert "Loyalty Cards" in await consent.get_data(as_text=True)


async def test_an_installed_app_is_opened_instead(dashboard, developer, install, dispatch):
    app = await developer.publish(embed_url="https://loyalty.example.com/")
    installed = await install(app)
    await dispatch()

    page = await dashboard.get(f"/apps/{app['id']}")

    assert f'href="/apps/{app["id"]}/embed"' in page
    assert f'href="/dashboard/apps/installed/{installed.id}"' in page
    assert "/oauth/authorize" not in page


async def test_a_draft_of_somebody_else_is_missing(dashboard, developer):
    app = await developer.register()

    await dashboard.get(f"/apps/{app['id']}", status=404)
