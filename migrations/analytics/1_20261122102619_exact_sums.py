"""Sums of days have no limit, and the orders whose payments no event tells are found by one rule."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Widen the sums, index the orders to be looked up, and have the stores counted anew that had one paid wrongly."""
    return """
        ALTER TABLE analytics_day ALTER COLUMN total_minor TYPE numeric(40, 0),
            ALTER COLUMN kept_minor TYPE numeric(40, 0);

        DROP INDEX analytics_partly_paid;
        -- No event tells of these payments, so their orders are looked up; the condition is that of the query.
        CREATE INDEX analytics_unannounced ON core_order (store_id, owner_id, created_at)
            WHERE paid_minor > 0 AND (paid_at IS NULL OR paid_minor > total_minor);

        UPDATE analytics_store SET is_complete = false, counted_to = 0
        WHERE (store_id, owner_id) IN (
            SELECT a.store_id, a.owner_id
            FROM analytics_order a JOIN core_order o ON o.id = a.order_id AND o.owner_id = a.owner_id
            WHERE a.is_paid <> (o.paid_at IS NOT NULL));
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Narrow the sums, and find again the orders that are paid in part."""
    return """
        DROP INDEX analytics_unannounced;
        CREATE INDEX analytics_partly_paid ON core_order (store_id, owner_id, created_at)
            WHERE payment_status = 'partially_paid';
        ALTER TABLE analytics_day ALTER COLUMN total_minor TYPE bigint, ALTER COLUMN kept_minor TYPE bigint;
    """


MODELS_STATE = (
    "eJztWt9z2jgQ/lc0vFw6wzGcCZf0+pSG3JWZNswkXO/hemOELUATWXJsuTTt5H+/lQTY2I"
    "baXI4Co5f8WOmz19/Kq/1W/tbAHLMnSb24dS0SLok/iHwSNX5D3xocBwT+2DSlCSNhuDZB"
    "2SQes3WYK1bzx7GMsCdheIJZTMDkk9iLaCip4Ar01wxLhDnSEDTDMRoTwpFnbowmImqh0e"
    "iBhNINKBfRaIRojOYKNYfJIaY+EhNEJWIkzgxEZJJwn/gt5YYvPPCD8une7phw+pgQV4op"
    "kTNN79//gJnChC8kXv4bPrgTSpi/xj711QW03ZVPoba9pdM+l7/ruep5xq4nWBJoBvVzuA"
    "YVPsmZ4CsY5VJZp4STCMPDZcLAE8YWgVuajM9gkFFCVs76qcEnE5wwFUyFNn6ktobr3g6G"
    "7v3N0HUbhUAvEZlILEye4GqRgK+x5mGqXPj5teN0OhdOu/PrZff84qJ72b6Eudrf4tDFs3"
    "EmJc1cSlPX/6N/O1QOCViJZqUqw7PGYIkNSsckDYKY8xWpNUKRQb1MKJaGNBbpe3RiwUjJ"
    "j6WISG3ysyhL/s7k+/ipyHsPWCtnfTE9Rzi8V0TSgLTUH0dI/RYWe1fDmxxl+qkLnF3PcF"
    "TO2XJ+jjRw4AipagT4i8sIn8oZ/Ntpb6Hu49Xd9buru7NO+9X6KrxdjDh6KJ8MsEziOvSm"
    "iBMk2KlCsLOZYKdAMI1dVdOUJFshGMG8nOQMKsfyGGBHSPO2xDkYvFdXDuL4kZlMmkujt3"
    "9+eHtzd/aLph0mUbkhu0ohMTN1Zb3dLQe0G9zOG1xa2deLwDrOBqBWAJTamTxkSm1lGGPv"
    "YY4j3y2MCEdsmlscCpwgbwEpOtV0qudWDqeStgcFS7nY7ZlSpqLGXRQ+31e4wxkxWjNWsl"
    "FwghRpoEB9ZHYqJLWEJBFBIcMeaFDB9Ty4hYJgpEvbn2LkYdgHfBw1EfZBaaIkLMrb//92"
    "e9S2Vav5hUC1otaK2sMKhhW1B0G+FbVW1NZapVbU7pPglxe1pgLaoZFeRrHNtNUzrWoKuL"
    "uwnwPaEOwcgq09hh7xaIDZLk0G30Bbi0scYTy27YA31/0PV+/PztvNdq6Ls0xA54Uss62V"
    "sJXorb0Ey/Org+oY9CUJNncNlqPNyp0DeNygevvgnZgj8M5Ic44U2Ih3nSvX1HsTFDv3CG"
    "PKaloAjEwkEol8g0Yj5XvmMJuaY+tYMB9h1RUgvNhN2PvdbXPhoHcZ21w4oGDY5sJBkG+b"
    "C7WbC3oLrJ2vU5BdrTuvVv27wPvmxsNy/im2HbrdKn2Hbndz40GNrfP7mGAuqSxJCdvWdh"
    "ZlF/eRHi3eq/30XmItZ8q0QmZCdbmgd+nqWmGCo8wR3qIQn+HPZO0z16Y+EKQcinHqzZDa"
    "edBXKOTLFcB/vOYn/okPDCgJkRSq2kfUB1GwQEK5D9IAg6xYXUqJBPKZRAh+wJICFNOf3Q"
    "I0eAOSwyMApzG8QkHIiARpAbdnTF1k3zri5csoKyesnPihHUR4ddWbW+v8J4M5wVqhW+WI"
    "orv5iKJbaB6mua/eGl/H7W+Vt09qiWe2jhL6v/PlYxa5x68fV5aj+vzxh9Znz/8CTGK/Yw"
    "=="
)
