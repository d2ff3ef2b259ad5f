"""Secrets of two-factor logins are encrypted at rest."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Make room for encrypted values; the next start of Comanda encrypts those that there are."""
    return """
        ALTER TABLE staff_member
            ALTER COLUMN totp_secret TYPE text,
            ALTER COLUMN totp_pending_secret TYPE text;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Give the columns their old type. Fails where values are encrypted, which SQL cannot undo."""
    return """
        ALTER TABLE staff_member DROP CONSTRAINT IF EXISTS staff_member_totp_secret_encrypted;
        ALTER TABLE staff_member DROP CONSTRAINT IF EXISTS staff_member_totp_pending_secret_encrypted;
        ALTER TABLE staff_member
            ALTER COLUMN totp_secret TYPE varchar(64),
            ALTER COLUMN totp_pending_secret TYPE varchar(64);
    """


MODELS_STATE = (
    "eJztW21v2kgQ/isrvlwi0SghSZNeTidByrVICVSp7/qWyl7sBVaYXde7lKIq//1m1jYYG0"
    "LhLqlDLVUKnp1nPX5mvTsv7veK0rTXO3jJvnKXVX4n3yuCjvDH4kCVVGgQzMR4rWnXnyva"
    "3lyxq3RIXQ1jPeorBiKPKTfkgeZSIKJOIm0iBZkMuDsgSo5YV3pTMqCK+LLfZx7hAv/1xr"
    "5/QYYs0ASGKPyawhioDYjsAZpqwjVxqe8r+KGY3ztAIzzpghVc9B/pfmPBv4yZrWWf6QEL"
    "4a6fPoOYC499Yyq5DIZ2jzPfWyCaeziBkdt6GhhZg/dbQv9ldPFpurYr/fFIzPWDqR5IMQ"
    "NwoVHaZ4KFVDO8gw7HyL2AB4pdlbgjMnauElmZwnisR8c+ehDRkQFzWcW22x3Lftu0bLuS"
    "826CSDkgFrlS4MoAU5UhoI8mPHtRqx0fn9UOj5+fn56cnZ2eH56DrrE3P3R2FxkzZyuayn"
    "DWetVqW2iQhOUXrU0U3BkM1TRCGWfM2ZcTYMze1Adp1HpPJLzf54pEMPfF/OXZMWdk9piN"
    "yU+jSvK3Jj/aE23c2pbxL2g4Xc5/BphxQXeqwZSn54T7+LzqNHDmkVJffBT8U79ptNr1mw"
    "971/X3+2ZoGg9dddqvEv1AKt0PzUSVxgerWc94AM8aG04fLmyq8z54CeRpPmLLvZADZ/zg"
    "xeiD5Mdu+cRqXTffWvXrNwuOeVm3mjhSW/BJIt17vr/4UswmIe9a1muCl+Rjp93MOm+mZ3"
    "2soE10rKUt5MSmXpqTRJyI7vDM7w1T5w4KutQdTmjo2bkRWZOrdPNDo9ooK6GC9o2TkE20"
    "M4rhrtmoa0KSbHAXD6wP7kZzxbXB3dsktJoMJJnIcKgwrJKCEaVlyPLR2TrArbgVjsNGlP"
    "uOQ/ZcqtiznvQ95u0TKjziOAFVCoCe2ZJAh4bM4Cd0ClNVUQPeknhwTzEWSZTj7BOI1ojE"
    "kO0AhP2QwsrDGYSHN/WY4PCU8ZQBC0dcKXhORbpMcY8ZdCh99pu6gFgxUicTmBpnA+6QFD"
    "ipkhngBVUM40jEDbl2BwwjUhRq7g6ZVrcChqYEbLwgAp8BYRBsHhBrIp/1gHkZEq7iSNY3"
    "FoAGx1DVcbTUga2YGzLtOFXChBtOA3jbL5IxnyptK80CMAgwaAaKyPHhrQCcFJ6K7XGlhw"
    "TCvK7LcI4DUifR1ACDKHhCIfwlWgIVoCx6PBxhEK1IX0qPjIXmfnLXgAkPnG0boeOUAXPx"
    "w4QyYC6QM9L7NuyIWwTMc1RJ/tbkm7854i8HNFxOe6KfoRwe5ClSPqLfbJ+Jvh7AZe309B"
    "46ITy+fF2/2QOtTMDVjodq0dgiv+aI34TgGWArhuOt+xciOACSNlrBM8DuEXx6+AP8nh6u"
    "pBeHMuymo9CNWM4Cd4/th1nOcVC/WfUijdqydFEwqn9C5QJznk2WeKK/g0fh0Y9sJEerN5"
    "Kj3EYSZaF5euthSFcs6jkkw7DP1YMFeJU/emPhInukO+a+xrQX7/dn5fEXutV8b336nKtw"
    "mvR9IyZTmJLKhYJRUsvYiM4M7helNMovcqRyZVOw8OuSrbQhYcekYkVBI43LnmEAfChKk2"
    "LHI5PX6VwtnGGNViZVa/993WjCJmv2WFDiekUGl6qP5Sm32LcV+XMGtgvh2Zr3f4Hv5Kxa"
    "HjIk6il3XGIUsYT5pA64pQfy8NIT/9ETpiK7aedp+Qz/Q/vpCXnmKXSfcl6fVf83Kx/msY"
    "9XRDx8qBj+p1QQDYnbNnxz4PKNK/IbB2cU8r6FoxeRZVu/cG4uRlv/DRdWOK3k2/rxQHVt"
    "Wx9LYTrWXNvXfxdK0SdvWm2FDWwaf1JZJTKMrk2TqUoUFy72181fx8HO85BNk+Y7X/ZJpW"
    "l/Y9ebLvs84BHvW/akC32Olj3pAjmj7EkXgvxkj9usB5JGlZ9vVrdsgoBBbEk1dHUelejv"
    "0nqvHZ2cnZwfPz+ZLfOZ5L7VvWQbwYN701B5Biqj5MJFyQuJr3SHkNFsVW7KYsu0t2ieLk"
    "Y+dMNc+ZWF00vpsUo+K1oYrq7NjcJY3XYT/bUZUkfMvu3VTJgvaFX0rawM4BrlnsS0RWD+"
    "MuGwjMfaiMGW5f/nLJ8OPdRNytyn0BFfmfsUyBnlf2ArBPm4922R/CzAyuynumX2M1ZbFb"
    "dTsDKQKwO5VCB39y+cgY4E"
)
