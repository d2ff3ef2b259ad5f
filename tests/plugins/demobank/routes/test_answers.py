"""Answers on pages that nobody has."""


async def test_unknown_page_is_not_found(client, payment):
    for reference in ("x", "1-%00", "9" * 30, payment["redirect_url"].rpartition("/")[2][:-1] + "g"):
        assert (await client.get(f"/demobank/{reference}")).status_code == 404
        assert (await client.post(f"/demobank/{reference}/answer", form={"answer": "pay"})).status_code == 303
