"""``save`` and ``delete`` of a model find a tenant's row by id and owner."""

from comanda.menu.models import Category


async def test_a_row_of_another_owner_is_neither_saved_nor_deleted(owner, other_owner, store_id):
    mine = await Category.create(owner_id=owner.id, store_id=store_id, name="Mine", position=0)
    mistaken = await Category.get(id=mine.id, owner_id=owner.id)
    mistaken.owner_id, mistaken.name = other_owner.id, "Taken"

    rows = await Category._meta.db.executor_class(Category, Category._meta.db).execute_update(mistaken, ["name"])
    await mistaken.delete()

    assert rows == 0
    assert (await Category.get(id=mine.id, owner_id=owner.id)).name == "Mine"
    mine.name, mine.position = "Yours", 3
    await mine.save(update_fields=["position", "name"])
    kept = await Category.get(id=mine.id, owner_id=owner.id)
    assert (kept.name, kept.position) == ("Yours", 3)
    await mine.delete()
    assert not await Category.exists(id=mine.id, owner_id=owner.id)
