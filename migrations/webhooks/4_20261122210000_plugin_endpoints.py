"""Endpoints that belong to other plugins, such as those of installed apps."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Add the plugin of an endpoint, its reference there, and the key of the event's name in bodies."""
    return """
        ALTER TABLE webhooks_endpoint
            ADD COLUMN plugin varchar(40),
            ADD COLUMN reference bigint,
            ADD COLUMN name_key varchar(5) NOT NULL DEFAULT 'event' CHECK (name_key IN ('event', 'type')),
            ADD COLUMN excluded_events text[] NOT NULL DEFAULT '{}',
            ADD CHECK ((plugin IS NULL) = (reference IS NULL));
        CREATE UNIQUE INDEX webhooks_endpoint_of_plugin ON webhooks_endpoint (owner_id, plugin, reference)
            WHERE plugin IS NOT NULL AND deleted_at IS NULL;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Delete the endpoints of other plugins, and what tells them apart."""
    return """
        DELETE FROM webhooks_delivery d USING webhooks_endpoint e
        WHERE e.plugin IS NOT NULL AND d.endpoint_id = e.id AND d.owner_id = e.owner_id;
        DELETE FROM webhooks_endpoint WHERE plugin IS NOT NULL;
        ALTER TABLE webhooks_endpoint DROP COLUMN plugin, DROP COLUMN reference, DROP COLUMN name_key,
            DROP COLUMN excluded_events;
    """


MODELS_STATE = (
    "eJztXFtv2zYU/iuEX9YBWZA4bpKtT06brRlyKRJvK9oUMi3RNhGJVEmqjlHkv++QlKy7Yx"
    "mr57p6SkTyI4++w9s5n5KvnRkZTTl/kPt9pUgQqs5v6GuH4YDAL+XKPdTBYZit0kUKj/xc"
    "ewdn2o+kEtjVHY+xLwkUeUS6goaKcqZRN4ygt4PBOyTI54hItY+Gw6lSoSMVVpEcDhGViE"
    "W+j+gYqSkRBM0wlHAAyJAz3SdmHqCIEFxAe4nnEs2m831tgMddsICyyQbGihiFbh3FJ0SD"
    "YcSPn6CYMo88Epk8hg/OmBLfy3FNPd2BKXfUPDRlZ3RywdTvpq1+k5Hjcj8KWNo+nKspZw"
    "sAZYbzCWFEYEX0CEpEmnP9TrGbEjdYY9Mm1soMxiNjHPnacxptDUjLOo5zfTNw7s4HjtMp"
    "eTVBZMiPi1xgEWYEmCoNARNtwi+/drtHRyfdg6Pj05e9k5OXpwen0NbYW646ebLGpGzZrg"
    "xnF39cXA+0QRymnZ2XuuDJYLDCFmWckbLPZ8CY09QHWdTznkh4X+aKpCD1RbpodswZKfke"
    "8ekXIuaN+S8AWxes7QIWBSPYr0rs3wXY92v5T1G7RP1R9+R4QbZ+WEbv3VX/8rLMZ+ZMaU"
    "pqAboWs/EGvoPEmmO3TOnrKRbVdC4ABSLBvu+QyAA/Oj5hEzWFx5cHB0sI/Lt/+/pt//YF"
    "tPo5v/yv46qurcsTnNxzHMloGBJV5npAHmumbhV2Ldq3bWdYQvPg/L3ZXQMpP/tZdl9c9d"
    "8b4oN5XHN5c/1H0jzjjdeXN2fFEzECcsBGJ6jYPuqPwzxql/bk7mHvpHd6dNxb7B+LkmWb"
    "SHn/iCMT4kGMUqb2DRCjaECq+S1iCwR7MXg/+eU7pHvZRL+4Or8b9K/e5Wb7m/7gXNd0cz"
    "M9KX1xXNh6Fp2gfy4Gb5F+RB9urs8NnVyqiTAjpu0GHzraJhwp7jA+c7CX5SQpToqedHg1"
    "fshc8XXBCLsPMyw8p1TDu7yubbkq6AbFEszwxDhJs6ntXETMb+Kraacynl7U7q0YUHtZwL"
    "MR9WBKUIJAfIw4RL3kC2EKKW4fmBdy8Hk5QF4des/u2XA44t7cRs0Q8KI/726uEcTLVOkS"
    "SSeMeCZeltDDng2sOXMJCkUEVTr6ZnCaJPkC+Gn7kkRBTE19AmCuI2kUt4DKe+ZF5BXCKA"
    "RTwOrU3BmF9RgpPfoMUyXRmAukfyY263cYER3KR4Ed3SdYwnqOmKK+HXo2Jcy8i6nSFMDD"
    "PRxqdrBQcJdI06V8hZJA3wwN3cVWyuFwz/RhL8gowB5BkoO7xJ62ziMuBZfBWFxac3yFXA"
    "5WyH1NaikjoaZYxaYgH0uV0KFfQZCYAHiPseABBEOpQ7igE8qwn/OprjA+bXMW2x+jtTmL"
    "LXJGJg6Jt5TG/BeArQvWd4Hewprzn0HtUGy9Ye4DOAPh6lPJfn0snkftRGSYj8iPeysE5M"
    "e92nhcV1VM8kb5jgSwg/QerpTwOFyS8DgsJzz0DbZJkiNpvwv5pE3nNeoyovXTuTYR+g3n"
    "cyeOLDobmtQrzeklU7o4o5MopGnmOYvb3L3k4NsejG02f4uJLQT/TRNyFfD/ICe3ZXR/7y"
    "m5rL+z6Zamzi5iW09vs6crslLN4rSaDnZoA91wyOYKgtfTPfLIVvXY6oU3pozK6Vp+LkDb"
    "DXbb/Lw16tZ5nMTsVKpbi9q9FdUtkgU8q271kSAu0UdDIlCZnPZP0ooasixqPYuwWpYksN"
    "PFChRhrphrrdd+7ym5LhwOOUwc22yh8RjNC7odDj9+tVV7iDyGFHwNC+npk27HyIxIhcZU"
    "SKjlAukb69xoPdLlMA9hUCwI9McXmhNS/MFIUViB+RMqlT4LEVWvjKYVn46USASzXMEcRy"
    "ERkhuxBysMr+lbSYwaPSswo40x9SNBHCM26UHNt6y6FKhyJGUugVJL+IgYM2KIlvO0creQ"
    "oGTkaiVsH70hPuwHbAKdpUobrAgs5D3Tpv51exmLgIY4pLUs6Mq+h88nplL/LvjM0ODpHv"
    "W7WiVOz9qJAIs94yj9Da/R2zCYHvrRhLL4u12urOhlnfub5c62QHY2G2lSTaGzidHrQqrd"
    "M5qbvgQZA8WWAvCBtgi6MhPgni06Rh4ndixJiHGHnUR2tAArV/dMHl0/8mAvtZWxfy3KCp"
    "HUqHd68TgPJKOhwsNCdTRgmKa6lWZDmzTiHji9le62/+7VSndb5IyU/EhUxJ71Gci4+Q6m"
    "07sHvdMVco+6WW320VZWaBYVmbK+EHi+RLWoypD5cO59h0Q/k1j/+KmYGDe3gEaUpZAflD"
    "Jzm2ii3KSInVjMmxZvMnffJqwXYBuUcb6VfrNp4ql0QhxJUnVd4Bwu2qzmzpbFFXgfAfBb"
    "Eb8o2Sz3Zzc3lznuzy6K5P51dXZ+++LQOAIaUVVzRfCo1AR4jiAYQqom14UK6C4oxcWbw0"
    "r3hiW3huKdQYeUThxSrpG6qoC36attS1+V/J1kI9b0dx7e+nub/Z1LPJW9XRvzlnA782HC"
    "f/YnLbnsXeOcfxHcLqNtXkYzLNha2k4O2Pp4m33cCrU/hJtjkWMNN+eR7WLeZi9b9alJAJ"
    "kidi9u7K0SN/bq48ZexZ+rx5pdMyklB2u/KVpXSknUyybzO4vZYDJw8XcRG/i/DKv8V4b6"
    "/8lQklPyUnIzXaWM/XHUgv/1c5mnfwHQfsxA"
)
