"""Say what happens to rows when the row of core that they refer to is deleted: it is not."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Replace the foreign keys by ones that refuse the deletion at once."""
    return """
        ALTER TABLE kds_item DROP CONSTRAINT kds_item_order_id_owner_id_fkey,
            ADD CONSTRAINT kds_item_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE kds_item DROP CONSTRAINT kds_item_store_id_owner_id_fkey,
            ADD CONSTRAINT kds_item_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE kds_route DROP CONSTRAINT kds_route_store_id_owner_id_fkey,
            ADD CONSTRAINT kds_route_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE kds_settings DROP CONSTRAINT kds_settings_store_id_owner_id_fkey,
            ADD CONSTRAINT kds_settings_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE kds_station DROP CONSTRAINT kds_station_store_id_owner_id_fkey,
            ADD CONSTRAINT kds_station_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Restore foreign keys that say nothing."""
    return """
        ALTER TABLE kds_item DROP CONSTRAINT kds_item_order_id_owner_id_fkey,
            ADD CONSTRAINT kds_item_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
        ALTER TABLE kds_item DROP CONSTRAINT kds_item_store_id_owner_id_fkey,
            ADD CONSTRAINT kds_item_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE kds_route DROP CONSTRAINT kds_route_store_id_owner_id_fkey,
            ADD CONSTRAINT kds_route_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE kds_settings DROP CONSTRAINT kds_settings_store_id_owner_id_fkey,
            ADD CONSTRAINT kds_settings_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE kds_station DROP CONSTRAINT kds_station_store_id_owner_id_fkey,
            ADD CONSTRAINT kds_station_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
    """


MODELS_STATE = (
    "eJztWltv2zYU/iuEX9YBXpA6F2ftk9tmi7Fcithtga6DQku0RFgiXZKqYxT57zskJVsX24"
    "mFOFMyPdk6PB9JfYciv0PyZ2viyb2/qHIDwgZEKcp82XqDfrYYjgj8WVneRi08nSal+knh"
    "UZh6OzLrNpJKYFdB2RiHkoDJI9IVdKooZxrxJcAKYYb4jBGBPOJSj3hozAXCSCouyC8STW"
    "z7bcTiMESzgAiCVEAQZVLhMMS6LnBLGkYBD6HTunmPu9A+2Hba0jf2jd3c/CBCQunNDfIF"
    "n0k0oypABKxz5AaY+QTxcQqUbWjRVCahRx4SPNbmt9Ai15AEIRFnBgZdiFDI3Yk0vYH6ze"
    "vFjH6PiaO4T8As4CX//gfMlHnklsj0cTpxxpSEXi6s1NMVGLuj5lNje0f9PlN/GF9N3shx"
    "eRhHbOk/nauAswWAMqWtPgFCsSK6BSViHWRNXzIm0rjbzi5dbC8zGI+McRzqoaLRtgNLW8"
    "txLq+GzuB06Dit0jBKEZl4JyYXOIYhCF2149rXXfjt907n4KDb2T84Pjk67HaPTvZPwNf0"
    "t1zUvbOdWbJlqzKc9f/sXw51hziMc/sRaMOdwWCFLcoEY8m+GYLOtjHIou6PRMr7plCkhm"
    "Usll/pCwvGknzzrW9NfhbVkF+Z/GSWLHO/lvgM4ul4398t6Z3Xh93Dk4PjwwXXC8smileM"
    "ZQ58RJTFisgyp4MI1qz1I7qArcRuMnfXbFAfdLrHC2r1wyZWBxe98/MytbDYk6rUFrENtX"
    "lqCfYqU1vANtTeaZE3nmSEhjaMsDuZYeE5pRLe4et8y0VRJypaMMO+4Ui/jO6hThEGVs5e"
    "cI+ErWL+kCu8J3mwrg/LHXpoGmJXq3MjixfiXcZugLDVyr6gYbiHrsYZlb/Q3uQW6g/nRm"
    "ZT658Et5w+7LqxRszXWsI0Yr5GwWjEfC3IN78l4t8HWKymPfUvUA4v8hwpj/CtExLmqwAe"
    "X+/vb6Dzc+/6/Vnv+hV4/Zon9TIp6tiyPL9TLqnaLlvKQpp0qThgqVz0sTxfcA7akq1ZMX"
    "PAArEjQO6K2YVlB+xu+v6vrs51zZGU30M7IRRmg8tPF+9OYUSb8QxOVK2ZJFxBNCcOXsH5"
    "ByhRNCKrSc8jC6R7CXQv/fMMp5ANARj2L04Hw97Fx1wUPvSGp7qkY6zzgvXVcWFyWVSCvv"
    "SHZ0g/oq9Xl6eGTi6VL0yLS7/h15buE44VdxifOdjLcpKaU1OdEo9rDgnhxuwj47E5BdGb"
    "8eShhxf6gMAIekWiNuLC7virQJ8OQKagi1wYkD4X87ZW/RH2yFt7NsB4mhu04b8qJBarzi"
    "9221iTgNRadjUJSI2C0SQgtSBfT4Rbc58BvaDNwydmPl1ntma/AGwiUH3iMct5hakni2v4"
    "34b/OgjeIXUnRPVhEisp3UzRZolLU5d7Fe4Zn0GRviITUnsXRd+gER4RIDD3UM+atcQE1Q"
    "xeAvxBeWJpURK0qrT+yVZ4DD94vuJ6zs5a0tdzemlVATia6znm3k8YGpSuWWONkYGMfqPF"
    "8Rxh0NszQZUiTN8FspJ5TIVUi0s50INRHE2J99QS2ryOo3v+qDKikdONnG7k9P+UfDunVJ"
    "uJGvIfQc9tdZqyALzI45QHnaZsOEwpnqUAW6LaNnQe+Qjb0DWTz899FzobZUGwN68Q4yyu"
    "iXCdIyyJ+FHtM84CmxjXOcY2o3JG822Wwxyo0pJYs4jmV8Sjh6yIR+tXxKPSihhPvYoHs3"
    "lkczBbu4/pP92nuvsXMywv9A=="
)
