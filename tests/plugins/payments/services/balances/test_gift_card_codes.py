"""Gift card codes as people type them."""


async def test_lookup_ignores_case_spaces_and_hyphens(store, card):
    code = card["code"].lower()
    spaced = "-".join(code[at : at + 4] for at in range(0, 16, 4))

    found = await store.send("POST", "/gift-cards/lookup", {"code": f" {spaced} "})

    assert (found.status, found["id"], found["balance"]) == (200, card["id"], 15)
    missing = await store.send("POST", "/gift-cards/lookup", {"code": "AAAABBBBCCCCDDDD"})
    assert missing.status == 404
