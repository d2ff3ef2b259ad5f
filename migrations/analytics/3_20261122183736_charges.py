"""Totals of days contain the charges of orders: service charges, delivery fees, and others."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Add the columns, and have the backfill count the stores with charges anew."""
    return """
        ALTER TABLE analytics_order ADD COLUMN service_charge_minor bigint NOT NULL DEFAULT 0,
            ADD COLUMN delivery_fee_minor bigint NOT NULL DEFAULT 0,
            ADD COLUMN charges_minor bigint NOT NULL DEFAULT 0;
        ALTER TABLE analytics_day ADD COLUMN service_charge_minor numeric(40, 0) NOT NULL DEFAULT 0,
            ADD COLUMN delivery_fee_minor numeric(40, 0) NOT NULL DEFAULT 0,
            ADD COLUMN charges_minor numeric(40, 0) NOT NULL DEFAULT 0;

        UPDATE analytics_store SET is_complete = false, counted_to = 0
        WHERE (store_id, owner_id) IN (
            SELECT store_id, owner_id FROM core_order
            WHERE service_charge_minor <> 0 OR delivery_fee_minor <> 0 OR charges_minor <> 0);
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Drop the columns."""
    return """
        ALTER TABLE analytics_day DROP COLUMN charges_minor, DROP COLUMN delivery_fee_minor,
            DROP COLUMN service_charge_minor;
        ALTER TABLE analytics_order DROP COLUMN charges_minor, DROP COLUMN delivery_fee_minor,
            DROP COLUMN service_charge_minor;
    """


MODELS_STATE = (
    "eJztW11v2zYU/SuEX5YBXuDZ8ZKuT2mSrQbaBEjc7WEZJFq6tolQpCJScb0i/30kZVuyZC"
    "uSkLp2QCBArEseijqXH5dHV99amGE6l8QTxxc8ZhL8m8iHqPU7+tZiOAD1Y1uVtioJw7UK"
    "2ibxiK7DHL6qPxIywp5UxWNMBSiTD8KLSCgJZxr09xRLhBkyEDTFAo0AGPKSGyMsjnU7Pv"
    "dUQ4RNqkHu2T1z3QcIpRMQxiPXRUSgmcbNVPUQEx9REBlTBOOY+eC3ket6UxxNQKygcgpo"
    "YVN3EkQ9gbEJiJ6ItyxTPfLvmbb7QMkTRHM0BjC9jxl5jMGRfAKqXHP9z7/KTNQNv4JYXo"
    "YPzpgA9ddcQXzdgLE7ch4a2wcyGTD5h6mruRk5HqdxYOg0nDgJKpzLKWcrGGFSWyfAIMKK"
    "qIxPWEzpwotLU9JnZZBRDKvO+qnBhzGOqfasRif9SG0tx7m+GTp3V0PHaRW8vkRkvLoweZ"
    "zpEaP6KgwPE92FX951u73eabfT++2sf3J62j/rnKm6pr/FotPnpDMpaUlThrrBn4Proe4Q"
    "V8MyGbba8GwwWOIEZXySOoHP2IrUGq7IoF7HFUtD6ot0Ur0xZ6TkC8kjqE1+FmXJb0y+j+"
    "dF3i8Va5tZX1TPEa7mFUgSwLH+cYDUl7B4eT68ylFmnrrA2YXaIzZztqyfI0114ACpagX4"
    "q0OBTeRUXfY6JdT9dX578fH89qjX+Xl9FF4vSrqmKL8YYBmLOvSmiDdIcLcKwd3tBHcLBB"
    "Ph6Ohow2LLOQXMNpOcQeVYHinYAdJctnDe3HzSLQdCPNJkJc0to9dfPn+4uj361dCuKhG5"
    "ZXWVXGKahJn1drcc0G5wjTe49IxQzwPrOOuA5uFdcohykkNUE1dsa2F3Tum8KY8sj6+OOr"
    "428cdmvPVGM2+siRH1HFGAWh9U94FWZMYPGTlAG0bYe5jhyHcKJbzLt9UtFgXdIG/BDE8M"
    "l/q5dYdTDe4SEzofSAiGetdvbRbqcpXalaU6FZwEzuLc9rJaN5wCeowxk0TOER9rFU43kE"
    "hx4CPO1B8g1V4bzYgabbFEHmYeUKpLdS3xHrmufoBElCNSIH2FsDSimjkoFiS/Hd53h2Jd"
    "VXliobhZlc6qdPvlDKvS7QX5VqWrrdKZba/2ep2C7GhtPFrN/wLv2xW8Zf23qN/1+1UEvH"
    "5/u4Kny9b5XcZJ9cZ2FmUH9yEfFV48JtQ9ItQ6HRhpUugYXUfVSeStr3R4rgnVr8lRIsqj"
    "kGJvLXg3oT0yUcFPQgXwaqL4ONp8HPheN7Lx/x5PNRv/75UzbPy/F+Tb+N++pW8ehNq39A"
    "f3lj6JdmpudCuMXWkbr7Q6y8Fpwn4OaF3Q2AWlSROX4JEA0yZZE34CPV40cYD+KNsBry4G"
    "n88/HZ102p1cWspyAToprDJluRGlRJcmR1ieC9tlpRSIUsYr5kDsiPvv9fb3tYmvkulQSn"
    "ulVAdLep2EhlK+X8posFTvkRh5pw/3dxKbXm4SIzMV2pXFSCMZVJMjP/KZKooyQt9CJZzi"
    "J1j7ZqhtxELC0GxKvKnJBUD/cbYhEeEV2tQfJ90koDhEkhv9kvj6w6ME6UjuughHkDalcx"
    "rUnVa5DZgheAIm3yPOPFBQItQ0CUIKElxX3ZpS3cCuBc3X13Osrml1zR962lDTVs/aWlpR"
    "BvMG5Yx+FTmjv13O6BdDgtW6V2+Mr+NsdmOzIZ7ZOjbQ/8JnH1nkDj/9WFkO6tuPHxqbPf"
    "8PcnugTQ=="
)
