"""Start page, page for developers, and guide."""

import re
from html import unescape

import pytest
from comanda.contracts.web.documentation import Chapter
from comanda.web.documentation.markdown_text import Heading, Links, render_text


async def page(client, path):
    response = await client.get(path)
    return response, (await response.get_data()).decode()


async def test_the_page_for_developers_shows_what_is_installed(client, runtime):
    response, text = await page(client, "/developers/")

    assert (response.status_code, response.mimetype) == (200, "text/html")
    for vertical in runtime.registry.verticals.values():
        assert vertical.label in text
    for plugin in runtime.registry.plugins:
        assert f"{plugin.name} {plugin.version}" in text
    for server in runtime.registry.mcp_servers.values():
        assert f"http://comanda.test{server.path}<" in text
    assert all(f'href="{path}"' in text for path in ("/docs/", "/docs/guide/", "/api/v1"))


async def test_the_start_page_links_to_pages_of_plugins_and_for_developers(client, runtime):
    _, text = await page(client, "/")

    paths = [link.path for declared in runtime.registry.pages for link in declared.links]
    assert len(paths) > 4
    for path in (*paths, "/developers/"):
        assert f'href="{path}"' in text or path in {"/docs/", "/api/v1"}, path


async def test_every_link_of_the_start_page_leads_somewhere(client, runtime):
    for link in [link for declared in runtime.registry.pages for link in declared.links]:
        response = await client.get(link.path)

        # Pages for people who are signed in lead to the sign-in page.
        leads_to_sign_in = response.headers.get("Location", "").startswith("/sign-in")
        assert response.status_code == 200 or (response.status_code == 303 and leads_to_sign_in), link


async def test_every_chapter_is_a_page_of_the_guide(client, runtime):
    _, listed = await page(client, "/docs/guide/")

    for chapter in runtime.registry.docs.values():
        response, text = await page(client, f"/docs/guide/{chapter.name}")
        assert response.status_code == 200
        assert f"<h1>{chapter.title}</h1>" in text
        assert f'href="/docs/guide/{chapter.name}"' in listed


async def test_chapters_lead_from_one_to_the_next(client, runtime):
    followed, path = [], "/docs/guide/start"
    while path:
        followed.append(path.rpartition("/")[2])
        _, text = await page(client, path)
        found = re.search(r'<a rel="next" class="next" href="([^"]+)"', text)
        path = found[1] if found else None

    assert followed == list(runtime.registry.docs)


async def test_addresses_and_commands_are_the_readers_own(client, runtime):
    for chapter in runtime.registry.docs.values():
        _, text = await page(client, f"/docs/guide/{chapter.name}")
        code = "".join(re.findall(r"<pre.*?</pre>", text, re.DOTALL))
        assert "$BASE_URL" not in code, chapter.name
        assert chapter.is_generated or "{site_url}" not in text, chapter.name
    _, text = await page(client, "/docs/guide/start")
    commands = unescape(re.sub(r"<[^>]+>", "", text))
    assert 'curl -sS http://comanda.test/api/v1/me -H "Authorization: Bearer $OWNER_TOKEN"' in commands
    assert "BASE_URL=http://comanda.test/api/v1" in commands


async def test_links_of_chapters_lead_somewhere(client, runtime):
    """Links inside of the guide, to headings and operations; those to other hosts are their authors' business."""
    pages = {}

    async def read_ids(path):
        if path not in pages:
            response, text = await page(client, path)
            assert response.status_code == 200, path
            pages[path] = set(re.findall(r'id="([^"]+)"', text))
        return pages[path]

    for chapter in runtime.registry.docs.values():
        own = f"/docs/guide/{chapter.name}"
        _, text = await page(client, own)
        for href in re.findall(r'<a (?:class="anchor" )?href="([^"]+)"', text[text.index("<article") :]):
            path, _, anchor = href.partition("#")
            if path.startswith("/docs") or not path:
                ids = await read_ids(path or own)
                assert not anchor or anchor in ids, f"{own}: {href}"


async def test_operations_that_a_chapter_names_are_linked(client):
    _, text = await page(client, "/docs/guide/api")

    assert '<a href="/docs/orders/#place-order"><code>POST /api/v1/restaurants/{id}/orders</code></a>' in text


async def test_a_chapter_has_its_contents_and_is_sent_once(client):
    response, text = await page(client, "/docs/guide/api")
    for anchor, title in (("errors", "Errors"), ("repeating-a-request", "Repeating a request")):
        assert f'<li class="level-2"><a href="#{anchor}">{title}</a></li>' in text
        assert f'<h2 id="{anchor}"><a class="anchor" href="#{anchor}">{title}</a></h2>' in text

    again = await client.get("/docs/guide/api", headers={"If-None-Match": response.headers["ETag"]})
    assert again.status_code == 304


async def test_the_address_is_not_put_into_generated_chapters():
    generated = Chapter("a", "A", "", "comanda", build=lambda: "Says {site_url}.")

    assert generated.render_text("https://eat.example") == generated.text


def test_headings_of_one_name_have_anchors_of_their_own():
    rendered = render_text("## Über `x`\n## One\n### One\n## !\n")

    assert rendered.headings == [
        Heading("ber-x", "Über x", 2),
        Heading("one", "One", 2),
        Heading("one-2", "One", 3),
        Heading("section", "!", 2),
    ]
    assert '<h3 id="one-2"><a class="anchor" href="#one-2">One</a></h3>' in rendered.html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>\n"),
        ("[a](javascript:alert)", "<p>[a](javascript:alert)</p>\n"),
        ("`/docs/`", '<p><a href="/docs/"><code>/docs/</code></a></p>\n'),
        ("`/docs/<b>`", "<p><code>/docs/&lt;b&gt;</code></p>\n"),
        ("`GET /x`", '<p><a href="/found"><code>GET /x</code></a></p>\n'),
        ("`GET /y`", "<p><code>GET /y</code></p>\n"),
        ("[a](/z) `GET /x`", '<p><a href="/z">a</a> <a href="/found"><code>GET /x</code></a></p>\n'),
        ("[`GET /x`](/z)", '<p><a href="/z"><code>GET /x</code></a></p>\n'),
        (
            "```csv\n<b>\n```",
            (
                '<div class="code" data-language="csv"><span class="code-name">CSV</span>'
                '<pre tabindex="0"><code>&lt;b&gt;</code></pre></div>'
            ),
        ),
    ],
)
def test_markdown_as_html(text, html):
    assert render_text(text, Links(lambda _, path: "/found" if path == "/x" else None)).html == html


def test_the_place_of_a_token_of_a_known_kind_is_marked():
    text = "```sh\ncurl $BASE_URL -H 'A: $STAFF_TOKEN' -H 'B: $TRACK_TOKEN'\n```"
    html = render_text(text, Links(base_url="https://eat.example/api/v1", token_prefixes={"staff": "stf_"})).html

    assert '<span data-token="stf_">$STAFF_TOKEN</span>' in html
    assert html.count("data-token") == 1
    assert "https://eat.example/api/v1" in html
