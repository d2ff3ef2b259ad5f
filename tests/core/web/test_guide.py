"""Start page, guide and API reference."""


async def page(client, path):
    response = await client.get(path)
    return response, (await response.get_data()).decode()


async def test_the_start_page_shows_what_is_installed(client, runtime):
    response, text = await page(client, "/")

    assert (response.status_code, response.mimetype) == (200, "text/html")
    for vertical in runtime.registry.verticals.values():
        assert vertical.label in text
    for plugin in runtime.registry.plugins:
        assert f"{plugin.name} {plugin.version}" in text
    for server in runtime.registry.mcp_servers.values():
        assert f"http://comanda.test{server.path}<" in text
    for declared in runtime.registry.pages:
        assert all(f'href="{link.path}"' in text for link in declared.links)


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
