"""Say what happens to rows when the row of core that they refer to is deleted: it is not."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Replace the foreign keys by ones that refuse the deletion at once."""
    return """
        ALTER TABLE coupons_coupon DROP CONSTRAINT coupons_coupon_store_id_owner_id_fkey,
            ADD CONSTRAINT coupons_coupon_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE coupons_use DROP CONSTRAINT coupons_use_order_id_owner_id_fkey,
            ADD CONSTRAINT coupons_use_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Restore foreign keys that say nothing."""
    return """
        ALTER TABLE coupons_coupon DROP CONSTRAINT coupons_coupon_store_id_owner_id_fkey,
            ADD CONSTRAINT coupons_coupon_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE coupons_use DROP CONSTRAINT coupons_use_order_id_owner_id_fkey,
            ADD CONSTRAINT coupons_use_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
    """


MODELS_STATE = (
    "eJztWm1v2zYQ/iuEgQEJ4BmOkzTe9snJsjXAkhSp94I2hUxLZ5mIRKokFdco8t93pCzrzU"
    "5jLcvsTF9s6XgPRT0PdSJP97XlijgSXHXO7P+l8CBo/Ui+tjgNAQ9WtrdJi0ZRrtVYNB0H"
    "eYST/FvnsdKSuhpbJzRQgCYPlCtZpBl6IGZAXOyZ6CnVxGf3oAglHlPYBddEcCKkB1IRMc"
    "ETIEoLCR3Tsydc7Jpxv24nt/yWj0b3NIjBiaJwNCJMEQWaTIREeATSBa6pD2TvoHfc7XZN"
    "+0Gvc0y+22+TFBkyLiRiLYgTGppLdsiAEwgjPUe/EEem0CMEytUtp0HwE5kxPSVjgT+jEd"
    "MQOswzLpR7aHCpBl/I+cKY9MM0QeIDhremBYF7kHM9xbvvICBW4Dn2XtHd/isiwTNAJBmv"
    "OZ6nDFiGqATChSYu5S4EAXgdMpwCkWJmGELmIAANHklkRLroXNkb1OiV78hcGEdm9Yg5+4"
    "x8aOEDuklU5eMnNDPuwRdQ6Wl050wYBF5hojHPdGDtjp5H1nbK/Auuf7G+Ru0x3mAQhzzz"
    "j5AAwZcAxrWx+sBBIoHmClrGZsLxOAgWMzSdg8lgM5dklDmMBxMaB2baGnQygMzWcpyr66"
    "Hz/nzoOK3KlE4RuQm6MLmoBj4OOFRlCfDNEL7/odc7PDzpdQ/f9I+PTk6O+90++trxVptO"
    "HpLBZGwlXVnOLn69uBqaAQl85pJH0hgeLIZqmqCsGBn7YoaMOZtqkEd9W4mU98ekSA2ZFl"
    "nEeGViZOTbULQx+XlUQ35t8s07o0r82ZTK1bSn/iXK8UZ2kfKQfnEC4L6e4ulh7xE2/xjc"
    "nL0d3Owd9vaLlF4tWnq2qUiuZWcDclP/V0juQfcJ5B5015JrmorkLlctVYbXBo0CplbUWL"
    "wbt4bkJGj0Do5OjvqHb46WsWJpeSxEVMNBbkG3WTguAV8Rty8ckJFCR8VjLTQN6gixGt/o"
    "UVsPjGLpNqqWHivxjR71V4tUauVQXZXhZ6ROsxDWLRhzwBL/3gLZSQ92T41HiB1eXJ6/Hw"
    "4u35nuQ6U+B5atwfDctPSsdV6y7r0pvYqXnZA/L4ZviTklH66vzi2bQmlf2itmfsMPLTMm"
    "GmvhcDFzqJfnJDWnpoLGwL06Cudgjb7brG+sqA9OwEK2QuO1kbSEekUh9NmWbxFIx41xax"
    "ziwab8rgY3NFdpnjCptGOzgI7gwXzFikCIAChfTfQqeInmMeL/rT3f0vKyUer0+vq3QoA6"
    "vSi97K9+vzw9x12gjUzoxPS6NZlJJ1dJH0hJ52tWYSmixHPA1C7mih57GZz/Nfz4qURYml"
    "/fiLM86NXTliw+K8Tlv0NsRF4Z+H8lkOGKzNXsfkUe7NEYWcC9YHBMv33sbGzMPoRttLTK"
    "g14und7dkRe+K8HceY09SRH5DNuSHQoJu7cvibyaMheRjcxbLfPi234NmYvIJsmwbSqb8o"
    "rJXe4TvzGMqXs3o9JzKi2iJ9b5VpvCXli2UE59K5Jh86GdlQvdLCtPWquqiXLN7ScVE+H7"
    "2Xp+s5LomkOu7CUpZUk6aZPxHE/8GJQmzAOuGd6NZ6zpph/NbRJNTXnQ3mhkD5w7mI9G++"
    "2kUEdIwoGZ0pZq+dGLXTmpWZKgY8nto5hVLc2mLICsQseYs/qeVrsp0NnyLH9ToLNFYpTD"
    "1sbsF2AN/bXpTxKFG8/9HKohv/7cTxPiG8/+IvAVpdFfWIHlaqDK//pKqgKoVjnVtnFfqK"
    "bqP6GYqr+2lqpfLqX6J/UNz1Tb0ESbVpqHq5F9UE3qYXs3pXmBc9uWTUUuQZvkw7bp/J8m"
    "Hx7+Bm+/y0M="
)
