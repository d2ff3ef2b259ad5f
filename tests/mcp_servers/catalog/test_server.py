"""The public server."""


async def test_server_is_public_but_not_for_other_origins(public):
    response = await public.post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, Origin="https://shop.example")

    assert response.status_code == 403
    assert "Access-Control-Allow-Origin" not in response.headers
    assert list(await public.tools()) == ["search_stores", "search_items", "get_store", "list_starter_menus"]
