"""Say what happens to rows when the row of core that they refer to is deleted: it is not."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Replace the foreign keys by ones that refuse the deletion at once."""
    return """
        ALTER TABLE analytics_day DROP CONSTRAINT analytics_day_store_id_owner_id_fkey,
            ADD CONSTRAINT analytics_day_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE analytics_item_day DROP CONSTRAINT analytics_item_day_store_id_owner_id_fkey,
            ADD CONSTRAINT analytics_item_day_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE analytics_order DROP CONSTRAINT analytics_order_order_id_owner_id_fkey,
            ADD CONSTRAINT analytics_order_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id) ON DELETE RESTRICT;
        ALTER TABLE analytics_store DROP CONSTRAINT analytics_store_store_id_owner_id_fkey,
            ADD CONSTRAINT analytics_store_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id) ON DELETE RESTRICT;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Restore foreign keys that say nothing."""
    return """
        ALTER TABLE analytics_day DROP CONSTRAINT analytics_day_store_id_owner_id_fkey,
            ADD CONSTRAINT analytics_day_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE analytics_item_day DROP CONSTRAINT analytics_item_day_store_id_owner_id_fkey,
            ADD CONSTRAINT analytics_item_day_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
        ALTER TABLE analytics_order DROP CONSTRAINT analytics_order_order_id_owner_id_fkey,
            ADD CONSTRAINT analytics_order_order_id_owner_id_fkey
            FOREIGN KEY (order_id, owner_id) REFERENCES core_order (id, owner_id);
        ALTER TABLE analytics_store DROP CONSTRAINT analytics_store_store_id_owner_id_fkey,
            ADD CONSTRAINT analytics_store_store_id_owner_id_fkey
            FOREIGN KEY (store_id, owner_id) REFERENCES core_store (id, owner_id);
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
