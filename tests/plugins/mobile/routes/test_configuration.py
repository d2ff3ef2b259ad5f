"""What an app reads at its start."""

import json
import re

import pytest
from comanda_mobile.services import configuration
from comanda_mobile.settings import MobileSettings


@pytest.fixture
def configure(monkeypatch):
    """Return a function that replaces the settings of the plugin for this test."""

    def replace(**values):
        settings = MobileSettings(**values)
        monkeypatch.setattr(configuration, "get_settings", lambda: settings)

    return replace


@pytest.fixture
def read(phone):
    async def get(path, **headers):
        return await phone.send("GET", path, **headers)

    return get


@pytest.mark.parametrize("path", ["/app/config?platform=ios", "/app/path-configuration/android.json", "/app/me"])
async def test_addresses_at_the_root_answer_the_same(read, path):
    reply, other = await read(f"/api/v1{path}"), await read(path)

    assert (other.status, other.document | {"request_id": None}) == (
        reply.status,
        reply.document | {"request_id": None},
    )


async def test_configuration_has_every_key(read):
    reply = await read("/api/v1/app/config")

    assert (reply.status, reply.document) == (
        200,
        {
            "platform": None, "min_version": "1.0.0", "latest_version": "1.0.0", "store_url": None,
            "features": {"handoff": True, "push": True}, "support": {"email": None, "phone": None, "url": None},
            "locales": ["en"], "push": {"enabled": True, "platforms": ["ios", "android"]}, "start_path": "/app/home",
        },
    )  # fmt: skip


async def test_platforms_have_versions_of_their_own(read, configure):
    configure(
        min_version="2.0", latest_version="2.4.1", ios_min_version="2.1", android_latest_version="2.3",
        ios_store_url="https://apps.example/1", features=["dark_mode"], locales=["pt-PT", "en"],
        support_email="help@eat.example", support_url="https://eat.example/help", start_path="/kitchen/",
    )  # fmt: skip
    replies = [await read(f"/api/v1/app/config{query}") for query in ("", "?platform=ios", "?platform=android")]

    assert [(each["platform"], each["min_version"], each["latest_version"], each["store_url"]) for each in replies] == [
        (None, "2.0", "2.4.1", None),
        ("ios", "2.1", "2.4.1", "https://apps.example/1"),
        ("android", "2.0", "2.3", None),
    ]
    assert replies[0]["features"] == {"dark_mode": True, "handoff": True, "push": True}
    assert replies[0]["support"]["email"] == "help@eat.example"
    assert (replies[0]["locales"], replies[0]["start_path"]) == (["pt-PT", "en"], "/kitchen/")


async def test_unknown_platform_is_refused(read):
    assert list((await read("/api/v1/app/config?platform=windows")).errors) == ["platform"]
    for name in ("windows", "IOS", "ios.json", "..%2fios", "%00"):
        assert (await read(f"/api/v1/app/path-configuration/{name}.json")).status == 404


@pytest.mark.parametrize("path", ["/api/v1/app/config?platform=ios", "/api/v1/app/path-configuration/ios.json"])
async def test_copy_that_is_current_is_not_sent_again(read, configure, path):
    first = await read(path)
    etag = first.headers["etag"]
    assert first.headers["cache-control"].startswith("public")

    again = await read(path, **{"If-None-Match": etag})
    assert (again.status, again.document, again.headers["etag"]) == (304, None, etag)

    configure(min_version="3.0", start_path="/kitchen/")
    changed = await read(path, **{"If-None-Match": etag})
    assert changed.status == 200
    assert changed.headers["etag"] != etag


async def test_pages_of_any_site_may_read_it(read):
    reply = await read("/api/v1/app/config", Origin="https://shell.example")

    assert reply.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("platform", ["ios", "android"])
async def test_path_configuration_has_the_format_of_hotwire_native(read, platform):
    reply = await read(f"/api/v1/app/path-configuration/{platform}.json")

    assert set(reply.document) == {"settings", "rules"}
    assert reply["settings"]["start_path"] == "/app/home"
    first, *others = reply["rules"]
    assert first["patterns"] == [".*"]
    assert ("uri" in first["properties"]) == (platform == "android")
    for rule in (first, *others):
        assert set(rule) == {"patterns", "properties"}
        assert rule["properties"]["context" if rule is first else next(iter(rule["properties"]))] is not None
        assert all(re.compile(pattern) for pattern in rule["patterns"])


def merge_properties(document, path):
    """Return the properties of a path as Hotwire Native does: later rules win."""
    found = {}
    for rule in document["rules"]:
        if any(re.search(pattern, path) for pattern in rule["patterns"]):
            found |= rule["properties"]
    return found


@pytest.mark.parametrize(
    ("path", "context", "refresh"),
    [
        ("/app/home", "default", True),
        ("/", "default", True),
        ("/s/tasca", "default", True),
        ("/kitchen/?store=a", "default", False),
        ("/apps/12/embed", "default", False),
        ("/sign-in?next=/app/home", "modal", False),
        ("/pay/abc", "modal", False),
    ],
)
async def test_each_page_is_shown_as_it_should(read, path, context, refresh):
    document = (await read("/api/v1/app/path-configuration/android.json")).document

    properties = merge_properties(document, path)

    assert (properties["context"], properties["pull_to_refresh_enabled"]) == (context, refresh)
    assert properties["uri"].startswith("hotwire://fragment/web")


async def test_the_start_page_replaces_all_screens(read, configure):
    configure(start_path="/kitchen/?store=tasca")
    document = (await read("/api/v1/app/path-configuration/ios.json")).document

    assert document["settings"]["start_path"] == "/kitchen/?store=tasca"
    assert merge_properties(document, "/kitchen/?store=tasca")["presentation"] == "replace_root"
    assert "presentation" not in merge_properties(document, "/staff-pages/store")


async def test_rules_of_the_operator_come_last(read, configure, tmp_path):
    file = tmp_path / "rules.json"
    rules = [
        {"patterns": ["^/help"], "properties": {"context": "modal"}},
        {"patterns": ["^/help"], "properties": {"modal_style": "full"}, "platform": "ios"},
    ]
    file.write_text(json.dumps(rules), encoding="utf-8")
    configure(rules_file=file)

    ios, android = [(await read(f"/api/v1/app/path-configuration/{name}.json"))["rules"] for name in ("ios", "android")]

    assert ios[-2:] == [{"patterns": ["^/help"], "properties": each["properties"]} for each in rules]
    assert android[-1] == {"patterns": ["^/help"], "properties": {"context": "modal"}}


async def test_reads_are_limited_by_address(read):
    statuses = [(await read("/api/v1/app/config")).status for _ in range(121)]

    assert statuses == [200] * 120 + [429]
