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
    "eJztXG1v2zgS/iuEv1wKuEHqNEn3cljAaXPbAE1SpL7rvnQh0RJtE5ZJrUjHFRb97ztDWd"
    "ar41jbJIqXQIHGwxmSfoYm55mh9GdHaToa7b9jt9xjnX+TPzuCzvCPYkOXdGgYrsT4WdNh"
    "kCk6fqY4VDqinoa2EQ0UA5HPlBfxUHMp0KJPEm0iBVlMuDchSs7YUPoxmVBFAjkeM59wgf"
    "9G8yA4JVMWagJNFP6KoQ3UJkSOwJpqwjXxaBAo+EOxYLSPk/ClB7PgYvxI480F/2POHC3H"
    "TE9YBKP+9juIufDZV6bSj+HUGXEW+AWguY8dGLmj49DIzvj4Quj/Gl38NkPHk8F8JjL9MN"
    "YTKVYGXGiUjplgEdUMR9DRHLEX8IWWrkrdkUw2U0lmmbPx2YjOA/QgWicTyGQdx7m6Hjif"
    "zgeO06l4N7XIOWAp8qTAlQFTVQaAMU7h5Q+93uHhSe/g8PjN0euTk6M3B29A18y32nTyLZ"
    "lMhlbSlcHs4qeLqwFOSMLyS9YmCr4ZG6ppYmWckaEvF4CYs60P8labPZHifpcrUkHmi+zH"
    "s2POKO0xW4Oft7LgNwY/2RMd3Nrq8Bc0iuvxLxmWXDCMNUzl+TnhLjw/XJ9hzzOl/ghQ8P"
    "/+zdnFVf/ml73L/s8vTFO8bPpwffVTqh9KpceR6ahz9svgvF/yAJ41Dpw+XDhUV33wDsDT"
    "fMbqvVAxLvnBX1rvp3/slk8GF5fnnwb9y48Fx7zrD86xpVfwSSrdO35R/FGsOiGfLwbvCX"
    "4kv15fnZedt9Ib/NrBOdG5lo6QC4f6eUxScSr6hmf+aJo7d1AwpN50QSPfqbTInlynW22a"
    "9WZlCRV0bJyEaOI88zHcDQOXKr02xkvb7xvqOVHO4P4hn8YISk3kAoMrT/qMUOGTBYVYim"
    "hJhowwEckgYP4pcd3lUNx3XcIVUUxDDAe9rOI3mGokbzF603fEfQ88qA3+Wn3k2eCvRc7I"
    "bz4yYg2Cv8zKgt8YfPN/Bfi3ExrVw57qlyCHL/IcIZ/Rr07AxFhP4OPxwR1oQqT39n3/Zu"
    "/4oBQ6XC1beqaptLLlPPK2gjez2EGAXx3cB2HQWguxaStijKd4A+5SMLPMpSlzCSFYaoB+"
    "wcyi3xT9VYC63dFZMGt0di4jxLZA/zRHpxcxRKgBZS9aWr7eOr6edzP7GnLoroGbi5bWza"
    "1zczvSMufLlMPa2ltJobsxMZMmMbYsxmkeBERGBMSMCSxzUWJo1jJvwoSvCBVkLsZzphSO"
    "SW5pMGdkwfWEMOpNyMeLq+6qaoZplU/v+y97R8d1SZkHHe+L+CI+g5qc6yyVgyEHJnM0WW"
    "BRL03fYBIIC4BCauIhcp42SR21HC5mNr/zDI5mm99pkTNsfqcV4Nv8zgPmd564ctoyFvYE"
    "BHgV6AzjbRZ5yWwH1/rRfdb60fq1flRZ6yvMGvCgoqklQq0jQnlHB1RpZ64aebps+x1c/X"
    "w2uWfh6XZQ3ks2Gxr+VKa6y4buRoo7yxQ3MttPab1+MZFkIaOpwgueUrCEbVap6SYD5Jau"
    "y2aUB8Am9zyq2MuRDHzmvzBc0nVDqhQY+injpBEz9gsaQ1dd1OAibdxTjCUS5bovgPyCLv"
    "LLfRCOIworD3sQPg7qM8HhWy67DFk040rB91RkyBT3mbGG7Zb9S50CnU7UgS8Lhb0BdggK"
    "hNVpD/D7VAypN9pNufYmDO/GolBzb8q0+iKgKQY2zk6BIMN3QDMaBPtksJAvR4A8UHiuln"
    "dqAzMD0OB4xcJ1tdShoxgwfO26p6nA7BNKszC5WYFjo4gcHnwRoCyR+CeTMJc0DFn3PGD5"
    "zN8nfZL0l2QJ8pc3wHDEoxlyd0XGUvpkLjQP0lFDJnzwsGOErrtPzgBmMyD0psz3GoIrD3"
    "tdwoQXxWY4y/tbz3Ys72+RMyzvbwX4lvevuFDv6OgeZAi01rIh01aiQ3j4b8U5U4NGCLcs"
    "Cn4EgEMAaasVvDLYPYC/P5svxKdboVw23D20H2Y5L8P97fKEeSubJGyYJEQ2tM0ST/V38C"
    "h8db8LeHfcvyuv64SfVuHtRxFds6gzkxLCAVcPFuB1/jOaCw/RI8M5DzQSYhzvx87jL/TB"
    "+c+D336v1BIMsd8KyZyNhbKQSkqzHFvBWbL7h0Ka8IsKqFw5FGZ4W7OVnknYMalYk9DI25"
    "XPMDB8KEjTZMcjg3d9/aFwhp1dlKja1f8uz85hkzV7LChxvYbB5TJnVcgH7Osa/lwy24Xw"
    "bMPvv4B3elbVhwypes4dbzGKqEE+TRY29EDV3Hrib3rCpG23rUjV92DrUm2rS1W8vioRbJ"
    "c+rNo+XhLx4KFi+CfJIBoQmz6UXjG2v7g2/+Lsoww76+Z2FPw/cvFRBtyLO9Waf9bW3Vj2"
    "x4RYmClvLP1/Nm95Sq7bqfwN8xmN8X1PWNcfxniL/NRcKsfb4pREctE1Je5OaYl8j/4esZ"
    "j8/WtptqZsa8pPGZSUnmxRjhRBzdXPOzMSa/t4xOzEE2XY/152ojVHySBac45gw/0OER3d"
    "9wSJpBjjhr7c7pNF08XnlrLtv0sUxzfDuK75P7npNGXx6oGjujcImjtWeLWK1t1Be8Rx7f"
    "WmVu9+9ihqkTPs9aZWgJ/ucXXgry+n563sWye6DevpMCFWU1hbn5JL9XdpvfdevT55/ebw"
    "+PVqma8kd63umm0ED+5tsy4rI5twaV3CpZBDld4UiEajykXZ1mZQ2+bpdvChG+bJWxbFb6"
    "XPOlVWVGjubuRG0VLd8VL9jQzpWqweINFMmCc2VPJshgzhM8p9ibRFIH9Js2IohrnUv2K9"
    "SoceahDLfVod8Vnu0yJn2Pe1twJ8+8bDp2Q/DZ+Mtg9F20CuPpD79hengein"
)
