"""Rates keep four decimals of a percent: parts per million instead of basis points."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Convert the tax rates of delivery fees exactly."""
    return """
        ALTER TABLE drivers_terms DROP CONSTRAINT drivers_terms_tax_rate_bp_check;
        ALTER TABLE drivers_terms RENAME COLUMN tax_rate_bp TO tax_rate_ppm;
        ALTER TABLE drivers_terms ALTER COLUMN tax_rate_ppm TYPE int USING tax_rate_ppm * 100;
        ALTER TABLE drivers_terms
            ADD CONSTRAINT drivers_terms_tax_rate_ppm_check CHECK (tax_rate_ppm BETWEEN 0 AND 1000000);
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Round the rates to two decimals of a percent."""
    return """
        ALTER TABLE drivers_terms DROP CONSTRAINT drivers_terms_tax_rate_ppm_check;
        ALTER TABLE drivers_terms RENAME COLUMN tax_rate_ppm TO tax_rate_bp;
        ALTER TABLE drivers_terms ALTER COLUMN tax_rate_bp TYPE int USING round(tax_rate_bp / 100.0);
        ALTER TABLE drivers_terms
            ADD CONSTRAINT drivers_terms_tax_rate_bp_check CHECK (tax_rate_bp BETWEEN 0 AND 10000);
    """


MODELS_STATE = (
    "eJztXVFz2zYS/isYvTSZ0XlsOY5zzc3NyKnbuuNYGVu9Xtt0KIiEJNYkwJBQFV0v//12AZ"
    "IiKUomebZMqXiSBGBB6FuQ+LCLXf7ZcUL3DxZGR/0ocqfcZ1x2viZ/djj1GXwpq+6SDg2C"
    "TCWWSDr2sgIWzQuMIxlSG/ueUC9iUOSwyA7dQLqCo9xwRiWhnIjQYSFZ0IhMoSNOpCCU6E"
    "6PyGBCGLVncSMQ8EUkieCMRJJyJ/qaSOxm4cqZmEsyGoXMYzRijkXlaHSEI3GEDUNx+XRX"
    "F/3IP/LRiHEnLiBuRCIG7Weux0CUxR1DscM8vCRzoAhwgnrnbbE/MoG6qRBOF4ZgMxi9gD"
    "7CeLRkBv8Bfn/kqtMudsTFWDhL9efn3P00Z5YUU4ZCAMGvv0GxC4P7zKLkZ3BvTVzmObmJ"
    "4DrYgSq35DJQZRfu9IrLb1VbhHZs2cKb+3zVPlgCKDwVcPVsmDLOQioZXkGGc5wNfO558R"
    "RKJoge7KqJHmVGxmETOvdwTqG0HsCqrGNZN4OhdXc5tKzO2nxLJDKzIS6yBce5CkONFABT"
    "HMLf/t7rnZ6e945PX785e3V+fvbm+A20VeNdrzr/ogezQkt3pTC7+u7qZogDEnBD6HsGC7"
    "4oGSqpllLKWKEvFoCYVVcHWamHNZHgvk0VScFKF6vb+cCUkQEfb6X64GekDPiNwdfPtdro"
    "58QM/I3h18s4rD3j5boC3s1oWA5/QaygAPhb+6gAn362PMancgY/z463YPuv/u277/u3L8"
    "6OX+YBvolreqpqA9RUrkP9DeAkXZ89ALcWLcDtxLJHyZc9BH8L2MOr95d3w/77D9i9H0Wf"
    "PAVYf3iJNT1VuiyUvnhdUEzaCfnpavg9wZ/kl8HNpYIT+N40VFdctRv+0sEx0bkUFhcLiz"
    "pZTJLipCin6IQL1tVyVu4RVByzKKPhx9dwhrHXVXJB1Oi5zXpehIJPQXkAxbqe73zqeRsJ"
    "SkF0dxTl+Gn5yWnv/HXKSPDHNg5y975/fa1JB248J/eZzQ8WjKl9v6ChY63ViJ7Y1Ha9yu"
    "/5xRLK6VQBhH9GjTA2dHzjRgGV9qxTZgVJK7uVbCBOtnlNC4gnxH2kNvuJJYKMl0RMJtAx"
    "GgUc2McrewD+AbKgrtSt0aBw78JFGX/I3vEYl0DrxhB+h2JBpoJFZAGlJBI+Q6NDYo4gK2"
    "uEqnclmjs8NpFoasEGgRDerk0Uj79DM5YKY6l4zt1aKOa8BPntK1EqtDvgT9q5BuXsDurh"
    "V5e9raQMcWszcYskDWUjfp6XNDvt1qm5NURSfZbTSF1VkUSuGj9IIe8S3rWYCU3pYn4HlA"
    "9XWGBgE+W5gg9Fy7Dwq4hEUgDqSM+gAtYK8mI0UmWwJMf87+U6m3zSq2m3mYf8swtc1ONT"
    "qKLcwe/CpjJxh9FQO9E8GklgkTCLtTsOyzR0cMVghsOQwnOOSB/dbAzkE84Ld/QyJbax4y"
    "xKO1kSm4ahyxzjQGs/EzK0tEXKyK62+uauB35WqhH4LeNPz4O9+lzDfbPnJml/gC6b3tlZ"
    "BZ8NtNrotFF1eXzV0lIH4FTgEBGu4hTrbXaK9dacYm5kAeOBdbrk2SGExyjfsHpm5QpIj0"
    "HwqaBOVtbdEvOLweA6x8kvrgoPhpsf319c3r44UdBDI1dueF4AcABVNHMnJVujhyDPSu4Q"
    "9LRkb1FXqFn2jPJps11pibyxQLRta5rVuFem5G89QTewIa9UqRMUOChFfjP48eL6kny4vX"
    "x3dXc1uMlrTlXmb6bby/514W6CzWI9bHV7g20VbNPNd91nVF7SPJ3a/XSKpBUxxpvouSBr"
    "NN1mTdsha3g/5yWNJbzVao5tnk1cWjlJczO3Tctt8Xdc0pBrnNcdHkldt5LHg2VaP+jy+E"
    "kdaUls+SjKHDzGQpNomqU6dkI5oc7v80hiRBLWpw4J9D4kJ0ES78Nb4nLiuxwEYZrKaN33"
    "sZvLxrFDqnfYXOvgIeXZoEtsi1+VmfSriPxHcHZEBujnUOFINCIhQzxhYLaYw2wnXBAfGh"
    "tPRvsNuMaT0SJlPLsnw4C/Wh9MKNBfKwyuZXTxebC352HIuF0rBisrc4C+ptMKrqbTjZ6m"
    "06KjaUwjZinuVW9+5+UO5hj/jue3dIMm4OfEDPYNQzzTDUoTFZRJG000PL7NaATjrPGMX0"
    "k0esK3bW0tRNhWC7HdFmO7dp4g3UuXm8E2BF5mhbZZwPZwUd3mLuoPL8vhaxC7mhU0tuLW"
    "WRHzjyFtNmoUvZoTNdbitum5LdbiAUYZdspsxbqmW8lSLNK2DfJLKWHmZJM9ddUJ8wU2HT"
    "MbBqaPrlNZJXVU7f6MCbbVvMyYYFukjGc3QxnwVw9eY4J9NvdDvMmouj9MBQ7QAHhSZXt4"
    "snl3eLK2OdyX8Omnn9ePEUFtrBlPbs0wh7c2or/vG7Wc1eVz4EJ3TcwuOUmj5nar2eSFO0"
    "ANt8Xi8mEmpOiUWVx0TbeSxSVI2z5ocemTIBRiguH3ri3nITRZzFx7hmfYJiKcCikZJ2MG"
    "33UIv2oOtevGlv+vqx3aWdR1TUopY27Zc2WswP89YCXBVBcup+GyHPhEohgAupQ61eGewb"
    "4NwevBRW7pAa5+cXXTv/35xfv+v1/m1p/rwc13SfvssnLx8/CyXzwNQe8bRd5k5QzXM0xg"
    "ExPARaqcCaiaikwgbVvtjD60xwRBMj44H5+SJ5hc5w/mdNPMkqsXh+AJ93iZ1+fZfeowTE"
    "x5DxNQn4UXMsBj9oqVbDikv5vrGl9Oq9czQy5apAzjy2kF+KsHXm0NrIkaNTRWAy4qdYzk"
    "SXvj0ang0VGLfxObWk7QcGnDpTdw6SEL/aiUS+uaalxapm0rxrvGGTaBztquw5yUxMb01s"
    "X0mpP4HXUiBPKavJ2OqkztOq8lvsYO3x4H80SdU5oK+FgugL6yTQGvT35dHfE6xvfqxck9"
    "R6Nf5wEQa8sHrs7iWIvf8EV4ofAJZzTEE1cTGh5BUwmPE7wLrSDwk8T1Dqalh+sRqFSDhV"
    "6O8CpJen7LFw7TaUbVGa44sajKNRoIJx7HAmiH+nejEXQAo1Mp8vXBhoAu9bj07oCuMo8i"
    "QPj2wF1vEh4/5NDsFcxe4Tl5kkmYZRJm7SO26ZpV76mREzMBVc2eGYpHrOP+w93gZlM0Zy"
    "xQpPyuLcl/iedGT4Z85x+TObcRVzKeu550eXSE1/tnZ/fzHgHKsf9kj5X6NTLbr3clXg3s"
    "4KJ4I4QwpQXSpSa3w7qwiSZvelsAhJY2ojXQRImw0URTTWT3K+tq2Bz3XBA7IAX0Tl6dv3"
    "pz+vpVintasg3ukkkOGG1KHb39RG9ecndr79nTIvs4Z3o/zV3YWDbJD70mazJE18gQnTNW"
    "1LEXrwnuznDcCWKV7qPpODEF1cE6K7NLmEMW0DBOmbePWAeilgskbr5DhHn8zoZ9BLdoo6"
    "xH98qkzXa0OttrjaPCDTqlbgoo71ZzUsQtK4RaMwKN4zM3KuwZ3QBptDQe46VL9B5H3ULG"
    "y7daJnlhmIqthmLm4WFeZcSnvuBTrPXLYrJ3d2Hzntr233tdY8tvkzL2Nd3XQcDfmnUI/r"
    "z3Ad/TWL4craorrkooUNV1zkK2StqMJzsXM9dj2i09o456b7n2S0uR+LTfZiJM6ESC4Okx"
    "5l8uTQr9+BcwB0tbfFOZBaZVyjB5KloC/2599W3D/KCc9X8xcKltz2FiL60Sd8wWjPNi5l"
    "xEBaRnjDpweRj3NGSsxEu/Be4SWYN5BcyjgDHH8oN6aOekDM4VcA6ZjUabZhk0c6Lm6Lk5"
    "ep7dSX/5H9mNB5M="
)
