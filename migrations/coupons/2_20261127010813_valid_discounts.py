"""Validates that the discounts of redemptions are not negative."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = False


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Validate the check, which reads all redemptions but locks nothing that orders need."""
    return """
        ALTER TABLE coupons_use VALIDATE CONSTRAINT coupons_use_discount;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Change nothing: the check goes with the file before."""
    return ""


MODELS_STATE = (
    "eJztWm1v2zYQ/iuEgQEJ4BmOkzTe9snJsjXAkhSp94I2hUxLZ5mIRKokFdco8t93pCzrzU5jLcvsTF9s6XgPRT0PdSJP97XlijgSXHXO7P+l8CBo/U"
    "i+tjgNAQ9WtrdJi0ZRrtVYNB0HeYST/FvnsdKSuhpbJzRQgCYPlCtZpBl6IGZAXOyZ6CnVxGf3oAglHlPYBddEcCKkB1IRMcETIEoLCR3Tsydc7Jpx"
    "v24nt/yWj0b3NIjBiaJwNCJMEQWaTIREeATSBa6pD2TvoHfc7XZN+0Gvc0y+22+TFBkyLiRiLYgTGppLdsiAEwgjPUe/EEem0CMEytUtp0HwE5kxPS"
    "VjgT+jEdMQOswzLpR7aHCpBl/I+cKY9MM0QeIDhremBYF7kHM9xbvvICBW4Dn2XtHd/isiwTNAJBmvOZ6nDFiGqATChSYu5S4EAXgdMpwCkWJmGELm"
    "IAANHklkRLroXNkb1OiV78hcGEdm9Yg5+4x8aOEDuklU5eMnNDPuwRdQ6Wl050wYBF5hojHPdGDtjp5H1nbK/Auuf7G+Ru0x3mAQhzzzj5AAwZcAxr"
    "Wx+sBBIoHmClrGZsLxOAgWMzSdg8lgM5dklDmMBxMaB2baGnQygMzWcpyr66Hz/nzoOK3KlE4RuQm6MLmoBj4OOFRlCfDNEL7/odc7PDzpdQ/f9I+P"
    "Tk6O+90++trxVptOHpLBZGwlXVnOLn69uBqaAQl85pJH0hgeLIZqmqCsGBn7YoaMOZtqkEd9W4mU98ekSA2ZFlnEeGViZOTbULQx+XlUQ35t8s07o0"
    "r82ZTK1bSn/iXK8UZ2kfKQfnEC4L6e4ulh7xE2/xjcnL0d3Owd9vaLlF4tWnq2qUiuZWcDclP/V0juQfcJ5B5015JrmorkLlctVYbXBo0CplbUWLwb"
    "t4bkJGj0Do5OjvqHb46WsWJpeSxEVMNBbkG3WTguAV8Rty8ckJFCR8VjLTQN6gixGt/oUVsPjGLpNqqWHivxjR71V4tUauVQXZXhZ6ROsxDWLRhzwB"
    "L/3gLZSQ92T41HiB1eXJ6/Hw4u35nuQ6U+B5atwfDctPSsdV6y7r0pvYqXnZA/L4ZviTklH66vzi2bQmlf2itmfsMPLTMmGmvhcDFzqJfnJDWnpoLG"
    "wL06Cudgjb7brG+sqA9OwEK2QuO1kbSEekUh9NmWbxFIx41xaxziwab8rgY3NFdpnjCptGOzgI7gwXzFikCIAChfTfQqeInmMeL/rT3f0vKyUer0+v"
    "q3QoA6vSi97K9+vzw9x12gjUzoxPS6NZlJJ1dJH0hJ52tWYSmixHPA1C7mih57GZz/Nfz4qURYml/fiLM86NXTliw+K8Tlv0NsRF4Z+H8lkOGKzNXs"
    "fkUe7NEYWcC9YHBMv33sbGzMPoRttLTKg14und7dkRe+K8HceY09SRH5DNuSHQoJu7cvibyaMheRjcxbLfPi234NmYvIJsmwbSqb8orJXe4TvzGMqX"
    "s3o9JzKi2iJ9b5VpvCXli2UE59K5Jh86GdlQvdLCtPWquqiXLN7ScVE+H72Xp+s5LomkOu7CUpZUk6aZPxHE/8GJQmzAOuGd6NZ6zpph/NbRJNTXnQ"
    "3mhkD5w7mI9G++2kUEdIwoGZ0pZq+dGLXTmpWZKgY8nto5hVLc2mLICsQseYs/qeVrsp0NnyLH9ToLNFYpTD1sbsF2AN/bXpTxKFG8/9HKohv/7cTx"
    "PiG8/+IvAVpdFfWIHlaqDK//pKqgKoVjnVtnFfqKbqP6GYqr+2lqpfLqX6J/UNz1Tb0ESbVpqHq5F9UE3qYXs3pXmBc9uWTUUuQZvkw7bp/J8mHx7+"
    "Bm+/y0M="
)
