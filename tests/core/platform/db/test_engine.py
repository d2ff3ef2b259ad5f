"""``save`` and ``delete`` of a model find a tenant's row by id and owner."""

from comanda.menu.models import CategoryModel


async def test_a_row_of_another_owner_is_neither_saved_nor_deleted(owner, other_owner, store_id):
    mine = await CategoryModel.create(owner_id=owner.id, store_id=store_id, name="Mine", position=0)
    mistaken = await CategoryModel.get(id=mine.id, owner_id=owner.id)
    mistaken.owner_id, mistaken.name = other_owner.id, "Taken"

    rows = await CategoryModel._meta.db.executor_class(CategoryModel, CategoryModel._meta.db).execute_update(
        mistaken, ["name"]
    )
    await mistaken.delete()

    assert rows == 0
    assert (await CategoryModel.get(id=mine.id, owner_id=owner.id)).name == "Mine"
    mine.name, mine.position = "Yours", 3
    await mine.save(update_fields=["position", "name"])
    kept = await CategoryModel.get(id=mine.id, owner_id=owner.id)
    assert (kept.name, kept.position) == ("Yours", 3)
    await mine.delete()
    assert not await CategoryModel.exists(id=mine.id, owner_id=owner.id)
