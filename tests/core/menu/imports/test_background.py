"""Imports in the background."""

from comanda.devkit.testing import process_queue
from comanda.menu.imports import background
from comanda.platform.db import sql
from menus import IMPORTED_MENU, read_menu


async def start(store, menu=IMPORTED_MENU, **options):
    reply = await store.send("POST", "/menu/imports", {"menu": menu, **options})
    assert (reply.status, reply["status"]) == (202, "waiting")
    return f"/menu/imports/{reply['id']}"


async def test_a_dry_run_in_the_background_is_shown_and_then_applied(store):
    path = await start(store, dry_run=True)
    await process_queue(background.QUEUE)
    preview, untouched = await store.get(path), await read_menu(store)

    applied = await store.send("POST", f"{path}/apply")
    await process_queue(background.QUEUE)

    assert (preview["status"], preview["report"]["items"]["created"], untouched) == ("done", 3, [])
    assert (applied.status, applied["dry_run"], applied["report"]) == (202, False, None)
    done = await store.get(path)
    assert (done["status"], done["message"], to_counts_of(done)) == ("done", None, (3, 0, 0, 0))
    assert [len(category["items"]) for category in await read_menu(store)] == [2, 1]
    assert await sql.fetch_value("SELECT length(file) FROM core_menu_import WHERE store_id = $1", store.id) == 0
    assert (await store.send("POST", f"{path}/apply")).status == 409


def to_counts_of(found):
    return tuple(found["report"]["items"][name] for name in ("created", "updated", "unchanged", "removed"))


async def test_a_cancelled_import_leaves_nothing(store, published, monkeypatch):
    path = await start(store)
    import_menu = background.import_menu

    async def cancel_and_import(*arguments):
        assert (await store.send("POST", f"{path}/cancel"))["status"] == "cancelled"
        return await import_menu(*arguments)

    monkeypatch.setattr(background, "import_menu", cancel_and_import)
    await process_queue(background.QUEUE)

    assert (await store.get(path))["status"] == "cancelled"
    assert (await read_menu(store), await published()) == ([], [])
    assert (await store.send("POST", f"{path}/cancel")).status == 409


async def test_a_wrong_file_fails_with_its_mistakes_and_makes_room_for_the_next(store):
    path = await start(store, [{"name": "A", "items": [{"name": "B", "price": 1.234}]}])
    meanwhile = await store.send("POST", "/menu/imports", {"menu": []})

    await process_queue(background.QUEUE)

    failed = await store.get(path)
    unreadable = await store.send("POST", "/menu/imports", {"menu": "x"})
    assert (unreadable.status, (await store.get(path)).document) == (422, failed.document)
    assert meanwhile.status == 409
    assert (failed["status"], failed["errors"]) == (
        "failed",
        {"menu.0.items.0.price": ["An amount in EUR has at most 2 decimals."]},
    )
    await start(store)
    assert (await store.send("GET", path)).status == 404


async def test_a_failure_of_ours_is_tried_again_and_then_said(store, monkeypatch, clock):
    path = await start(store)

    async def fail(*_):
        raise RuntimeError("broken")

    monkeypatch.setattr(background, "import_menu", fail)
    for _ in range(background.MAX_ATTEMPTS):
        await process_queue(background.QUEUE)
        clock.advance(minutes=5)

    failed = await store.get(path)
    assert (failed["status"], failed["message"]) == ("failed", "Something went wrong on our side.")
