"""The hosts of a store in the dashboard."""

import re

import pytest


@pytest.fixture
def base(store_id):
    return f"/stores/{store_id}/hosts"


async def test_domain_is_added_checked_redirected_and_removed(dashboard, base, domain, name_server):
    await dashboard.post(base, {"name": domain})
    page = await dashboard.get(base)
    host_id = re.search(rf"{base}/(\d+)/check", page)[1]
    record = re.search(r"comanda-[0-9a-f]{48}", page)[0]
    name_server.texts[f"_comanda.{domain}"] = [record]
    await dashboard.post(f"{base}/{host_id}/check", {})
    await dashboard.post(f"{base}/{host_id}/redirect", {"redirects": "true"})
    proven = await dashboard.get(base)
    await dashboard.post(f"{base}/{host_id}/delete", {})

    assert f"_comanda.{domain}" in page
    assert "Not connected yet" in page
    assert "In all links" in proven
    assert "Stop redirecting the shared address" in proven
    assert domain not in await dashboard.get(base)


async def test_wrong_name_is_explained_beside_its_field(dashboard, base):
    page = await dashboard.post(base, {"name": "localhost"}, status=422)

    assert "Must be a host name, such as pizzeria-roma.com." in page
