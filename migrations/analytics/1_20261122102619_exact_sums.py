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
    "eJztWl1z4jYU/SsaXpqdoQw1oUm7T9kk7TKzG2YS2j50O0bYAjSRJceWl2V38t97JQE2ti"
    "E2TVlg9JKPq3tk6VxZuufK3xqYYzaX1Itb1yLhkvj9yCdR41f0rcFxQOCPTS5NaAnDNQdl"
    "k3jE1mGuWPmPYhlhT0LzGLOYgMknsRfRUFLBFeivKZYIc6QhaIpjNCKEI888GI1F1ELD4S"
    "MJpRtQLqLhENEYzRRqBs4hpj4SY0QlYiTONERknHCf+C01DF94MA7KJ3t7YsLpU0JcKSZE"
    "TjW9f/8DZgoOX0i8/Dd8dMeUMH+NfeqrDrTdlfNQ297RSY/L37Svms/I9QRLAs2gnodrUO"
    "FcTgVfwSiXyjohnEQYJpcJA08YWwRuaTJjBoOMErIarJ8afDLGCVPBVGgzjtTWcN27/sB9"
    "uB24bqMQ6CUiE4mFyRNcLRIYa6x5mKgh/PiL43Q6F0678/Nl9/zionvZvgRfPd5i08WzGU"
    "xKmulKU9f7vXc3UAMSsBLNSlWGZ43BEhuUjkkaBDHjK1JrhCKDep1QLA1pLNL36MSCkZIf"
    "SxGR2uRnUZb8ncn38bzI+w2wVs76wj1HOLxXRNKAtNQfR0j9FhZvrga3Ocr0rAucXU9xVM"
    "7Z0j9HGgzgCKlqBPiLywifyCn822lvoe7Pq/vr91f3Z532m/VVeLdocXRTfjPAMonr0Jsi"
    "TpBgpwrBzmaCnQLBNHZVTlOy2QrBCOblJGdQOZZHADtCmrdtnP3+B9VzEMdPzOykuW307o"
    "+P727vz37StIMTlRt2VykkZiavrHe65YD2gNv5gEsz+3oRWMfZANQKgFI748dMqq0MI+w9"
    "znDku4UW4YhNvsWmwAnyFpCiE02nmrcacCppbzBl84F6mxrlmjfj0KyseBdp0Mt6dzAlRn"
    "nGSkQKTpCiEPSoj8y5haQWlCQiKGTYA0UquPaDRygIRjrR/SFGHoZTwcdRE2EfdCdKwqLY"
    "/f8ft0elWzW3X8hVK3GtxD2sYFiJexDkW4lrJW6tVWol7j4Jfn2JazKgHcrqZRTbnbb6Tq"
    "tKBO4u7OeANgQ7h2BrxeGGeDTAbJeSg2+grUUXRxiPbSfg7XXv49WHs/N2s52r6Sw3oPPC"
    "LrOtsLCV6K2VBcvzm8OrH/QkCV6sIaROzcp1BJh8UL2Y8F7MEIzVCHWOFNhIeb1zrmn5Ju"
    "h37hHGlNUUBBgZSyQS+RYNh2oKmYtuaq60Y8F8hFWNgPBibWHvT7elhoM+c2yp4YCCYUsN"
    "B0G+LTXULjXoI7D2fp2C7GrdebXq3wXeN5chlv6nWITodqtUIbrdzWUI1bbO71OCuaSyZE"
    "vYtrazKLu4j/Ta8UGdpw8Sa3FTJhkyDtXlgj6lq2uFMY4yF3qLRHyKP5O1T2Cb+nqQckjG"
    "qTdF6uRBXyGRL1cA/7HPT/wT7xtQEiIpVLaPqA+iYIGEdB+kAQZZsepKiQTymUQIfsCSAh"
    "TTn+QCNHgLksMjAKcxvEJByIgEaQGPZ0x1sm8d8fpplJUTVk5813oivLrqza11G5TBnGCu"
    "0K1yYdHdfGHRLZQS072v3hpfx+1vlbdPaolnjo4S+l/4KjKL3OOXkSvLUX0a+V3zs+d/AV"
    "3Gysc="
)
