"""Keep the owner in the index that delivers an event once."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Replace the index."""
    return """
        DROP INDEX webhooks_delivery_once;
        CREATE UNIQUE INDEX webhooks_delivery_once ON webhooks_delivery (endpoint_id, event_id, owner_id)
            WHERE event_id IS NOT NULL AND redelivered_from_id IS NULL;
        ALTER TABLE webhooks_endpoint DROP CONSTRAINT webhooks_endpoint_owner_id_fkey,
            ADD CONSTRAINT webhooks_endpoint_owner_id_fkey
            FOREIGN KEY (owner_id) REFERENCES core_owner (id) ON DELETE RESTRICT;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Restore the index without the owner."""
    return """
        DROP INDEX webhooks_delivery_once;
        CREATE UNIQUE INDEX webhooks_delivery_once ON webhooks_delivery (endpoint_id, event_id)
            WHERE event_id IS NOT NULL AND redelivered_from_id IS NULL;
        ALTER TABLE webhooks_endpoint DROP CONSTRAINT webhooks_endpoint_owner_id_fkey,
            ADD CONSTRAINT webhooks_endpoint_owner_id_fkey
            FOREIGN KEY (owner_id) REFERENCES core_owner (id);
    """


MODELS_STATE = (
    "eJztW21v2zYQ/iuEvywDvCBx0iRrPzlttmZI4qLxtqJNIdPW2RYikSpJ1TGK/PcdKcl6tW"
    "MZjae6+hTreA95fI5vd9d+a81gOOX8Xu53lQLPV62X5FuLUQ/wR7GxTVrU99NNWqTo0M3o"
    "WzSlP5RK0JHueExdCSiyQY6E4yuHM43qMSBv+/13RMCXAKR6SQaDqVK+JRVVgRwMiCMJC1"
    "yXzKYggDBOKJMzEGSEdrbxwyZqCgxhIAQXCJB0LlF7vq8tsPkITXDYZBuDBczBfi3FJ4Bq"
    "Aof89BnFDrPhAWT86d9bYwdcO8O2Y+sOjNxSc9/Izp3JJVN/GF09laE14m7gsUTfn6spZw"
    "uAwwzrE2AgqAI9ghKBZl1PKnJU7IjQ2EQltDKFsWFMA1f7TqNDAxJZy7Juen3r9qJvWa2C"
    "X2NEiv1INOJMrwk0VRoCJtqE337vdI6OTjsHRydnL45PT1+cHZyhrrG32HT6GBqTsBV2ZT"
    "i7/PPypq8N4rjwwpWpBY8GQxUNUcYZCft8hoxZVX2QRj3tiZj3Va6IBYkvkm2zY85IyLfB"
    "db6CmFfmPwdsXLCxC1jgDfG8KrB/61HXXcp/gtol6o86pycLsvXHKnpvr7tXV0U+U5dKVV"
    "Jz0I2YjQ7wHSTWXLtFSl9PqSincwHIEYn2/YBEevTBcoFN1BQ/XxwcrCDwn+7712+77/dQ"
    "69fs9r+JmjphW5ZgAdLHQcGSzPF9UEWu+/CwZOmWYTeivW4nwwqa+xcfzOnqSfnFTbO7d9"
    "39YIj35lHLVe/mz1g95Y3XV73z/I0YIDloo+WVHB/Lr8MsapfO5M7h8enx2dHJ8eL8WEhW"
    "HSLF8yOKTcDGKKVI7RskRjkelPObx+YItiPwfvzjB6R71UK/vL647Xev32VW+5tu/0K3dD"
    "IrPZbuneSOnkUn5N/L/luiP8nH3s2FoZNLNRFmxESv/7GlbaKB4hbjM4vaaU5icSx61OHV"
    "+D71xNeCIR3dz6iwrUIL7/BlusUmr+PlJZTRiXGSZlPbuYiZ30RP01ZpRL1oba8ZUttpwF"
    "oxNXwFpghnxFEYn9I5URy/UM5sn6O7y4PjJ1F37I4NBkNuz8NgGcNc8tdt74ZQiRgtkc6E"
    "gW1CZYmdtclEdzDTUTMqTFFvCPjbFwGq7WMkzfA+iXMG+DfsV4JCjOMCdnTHolYzICcj7s"
    "ErQomPVqHtJCaHzBzckIHS48yonsGYCzOT2HyNHgJG/zLwwsFdoBI3dMCU48bR/JTP7pjL"
    "sWc9O5yEDQJ/UrSeo/d1956mht6jGXpM7CeyUA4GbYMKn8aoZ2MPHB0l2hqnwHV1uoDL0A"
    "pX4WxwcLmvaS2kIsygfGx6dKlUJBpGWy4gmjeaPxbcwyAoccmCEtODloSeHTsCe9HJDGN4"
    "k7Sof5DWJC1q5IxUIBIdKZX5zwEbF2zuAn2kVec/hdqh4HrL3HsgJb59StlfHoxnUTsRGm"
    "ZD8pPjNSLyk+OlAbluKlnklRIeMWAH6T1cK+NxuCLjcVjMeOjHbJUsR6y/CwmlbSc2lqVE"
    "ly/npZnQZ1zPrSiyaG1pUa+1plcs6fyKjoORqqnnNG5775KD570Ym3R+jYnNxf5VM3Il8O"
    "+QlKsZ3T96Ti7t73S6paqz89jG03X2dEl6qlqctqSDHTpAtxyyjQTQzQofWWRT9qj1xhs7"
    "zJHTjfycgzYHbN38XJvy1kWUxGyVlrcWre01y1uQBjxZ3uoSASPQV4Oujejqkslp/yLDIo"
    "cslraeRIRlLQl40kUFKGAjMdfF3vBffUpOqAAyGHBcOaHeotZj6l/Y72Dw6VvY1Cbw4Dvo"
    "bNxJj5+1HoMZyKj+0iZcEP1knZuqjxxxXIg4qh5AmdIQdjabctD2Cpg4UulbkDjqJfFBSM"
    "6oS3RVgGBcwXRBKqzXRfelAxKn6IblMGxCEz1dMBpTxw0EWKbgpIfDaYVSZMmSDhsBSkOu"
    "h2BmFkEkoWNlamBRGUoGoxFIuU+6elBAlpIS25RKXT2TytiECxrxMioHGtqIrmnhYK+Mgs"
    "snplH/FnxGxtx18U9oN9HrdSLQYLspVdX/rdGUqmrkjIT8QJTEWsszbpH6DqaPOwfHZ2vk"
    "2rTa0mxb2FiSoy/JDHWFoPMVWfqyjJCLp/0PSPQTieRPn/OJYHPpVaIsgfyklJnrs0qlIk"
    "HsxGbedrEi9dSrwnoOtsWyxXPVK7ZNvCMtnwYSyp4LnLtA2ZI3WxqX432IwOcifiHZLvfn"
    "vd5Vhvvzyzy5f1+fX7zfOzSOQCVHLXki2I7UBNiWAIrxRZXnQgl0Fyqj+ZfDWu+GFa+G/J"
    "tBx1FWFEdtkKopgTfpmrqlawr+jkPwDf2dhTf+rrO/M9mWoreXxrwF3M4U4r/b/+HIpKwq"
    "57jz4GYb1XkbzahgG9UyMsDGx3X2cVOY/CncHFUKNnBzFtls5rp5+X8tSz7+B8R6p2o="
)
