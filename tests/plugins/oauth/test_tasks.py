"""What is deleted once it cannot be used any more, and what stays."""

from comanda.platform.db import sql


async def count_rows(owner):
    return {
        table: await sql.fetch_value(f"SELECT count(*) FROM oauth_{table} WHERE owner_id = $1", owner.id)
        for table in ("code", "refresh_token", "access_token", "grant", "installation")
    }


async def test_expired_rows_are_deleted(app_program, owner, run_task, clock):
    await app_program.get_tokens(expiring="1")

    clock.advance(hours=23)
    await run_task("oauth_prune")
    assert await count_rows(owner) == dict.fromkeys(
        ("code", "refresh_token", "access_token", "grant", "installation"), 1
    )
    clock.advance(days=100)
    await run_task("oauth_prune")
    assert await count_rows(owner) == {
        "code": 0, "refresh_token": 0, "access_token": 0, "grant": 0, "installation": 1,
    }  # fmt: skip


async def test_tokens_without_expiry_stay(app_program, owner, run_task, clock, status_of):
    tokens = await app_program.get_tokens()

    clock.advance(days=400)
    await run_task("oauth_prune")

    assert (await count_rows(owner))["grant"] == 1
    assert await status_of(tokens["access_token"]) == 200


async def test_unused_clients_of_nobody_are_deleted(app_program, create_program, run_task, clock):
    unused = await create_program(name="Unused")
    await app_program.get_tokens()
    for program in (unused, app_program):
        await sql.execute(
            "UPDATE oauth_client SET origin = 'registration', owner_id = 0 WHERE client_id = $1", program.id
        )

    clock.advance(days=8)
    await run_task("oauth_prune")

    left = await sql.fetch("SELECT client_id FROM oauth_client WHERE client_id = ANY($1)", [unused.id, app_program.id])
    assert [row["client_id"] for row in left] == [app_program.id]
