"""Say what happens to rows when the row of core that they refer to is deleted: it is not."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Replace the foreign keys by ones that refuse the deletion at once."""
    return """
        ALTER TABLE collection_settings DROP CONSTRAINT collection_settings_store_id_owner_id_fkey,
            ADD CONSTRAINT collection_settings_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE collection_slot DROP CONSTRAINT collection_slot_store_id_owner_id_fkey,
            ADD CONSTRAINT collection_slot_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Restore foreign keys that say nothing."""
    return """
        ALTER TABLE collection_settings DROP CONSTRAINT collection_settings_store_id_owner_id_fkey,
            ADD CONSTRAINT collection_settings_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE collection_slot DROP CONSTRAINT collection_slot_store_id_owner_id_fkey,
            ADD CONSTRAINT collection_slot_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
    """


MODELS_STATE = (
    "eJztl29v2jAQxr+KxZt1UodYoNCtr2jXrUj9MxW0Sl0nY2IDFolNY0eUVXz3nZ2EhGRQ0a"
    "0bRbwj53vsy++OJM9jyZWex1zNpSi3PanbTGsuBqr0ET2WBPEZ/Fias49KZDxezDBBTXpe"
    "TohVVtRTOiCuhpQ+8RSDEGXKDfjY7gDCmyHRiAgkJ4IFiDKXU0ZRXwZICoZ8SRmSfUSQ0j"
    "JgR2jC9VCGoECBnCA9jFLeKFD2SehphYbSo2VzNpUuHA6VvNwxd+JOdLsuGROX62m3i7iy"
    "ySL0e3AM7CgDygIThOPNSQqoIk1GTO1DlufZEoiYxhJbeCj4fciwlgMGmwVQ/vcfEOaCsg"
    "emksvxCPc58+hC/zg1G9g41tOxjR3zQUvozzbXYOlhaFboizR/PIW7FXMBF9pEBwxQEc3M"
    "CToITe9MxXHHk3ZGxaYpUZUZTUwMAkYdFZDGShhfXnVw+7SDcakwHYki08k45EphJgtKjQ"
    "Z4YEp498FxqtWGU6nWDw9qjcbBYeUQcm29xaXGLCompRVtZZm1vrQuO6YgCeMbjbgJzKyG"
    "aBKpbDNS+na48Lo9yKqe7kTCfVUrkkDai/TPt2XNSOHbf+7a8LOqHfxnwzdPxyL4kyEJfo"
    "89yc8hhxt5jch98oA9JgZ6CJfVygqa35rXJ2fN671q5e0i0st4xbFLucmGdwb2uQg1U0XI"
    "bZ943vL5zmm3acarTqM+n2pzsWqO2xfN8/Pi4Cbv7iLXpUizkmfhjF+MG0bTeV9r1A6r9d"
    "oc6TyyimsRqccIXT6uS7HmZds0qX+N7VAG/CdQoWS69qMgr90mwM99FJgP6f4o8zFnAj3i"
    "jiYkoLiwIh25LLe45Dt+PkIEGVhG5mZm+wt+61jKEaPGdZWWOLJMxv46fiwRPOnFmrE9MW"
    "ZFSZ/1JJ2iIVHWsIgja2DsopDzJXA8AjRcWONjzy+jbtcqwBC5MoROga0igkIfYz9U9Gf/"
    "9uidw9ro78qdw9qgZuwc1kbA3zmsl3RYmgRaYaKLhD8BJc19tmy4M8Icahory8mPVwh+Be"
    "hO6+K03WlefDXb+0rdexZXs3NqVhwbneaie/VcU+aboJtW5wyZS3R7dXlqcUqlB4E9Mc3r"
    "3JZMTSTUEgs5wYRmmSThJLTQZPtdsIYhmedv01Prj5zIf/1anv0CWVTfiA=="
)
