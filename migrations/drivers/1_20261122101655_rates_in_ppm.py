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
    "eJztXW1z2zYS/isYfWkyo/PYchznmpubkRO1dce2MrZ6vbbpUBAJSaxJgCGhKro2/7274I"
    "v4Jpnk2TKl4pMkAAtCz4LEg13s8o+O5du/Mz846geBPeMu47LzNfmjw6nL4EtZdZd0qOel"
    "KrFE0omTFjBoVmASSJ+a2PeUOgGDIosFpm970hYc5UZzKgnlRPgW88mSBmQGHXEiBaEk7P"
    "SIDKeEUXMeNQIBVwSSCM5IICm3gq+JxG6WtpyLhSTjsc8cRgNmGVSOx0c4EkuYMBSbz3Z1"
    "0Y/8Ix+PGbeiAmIHJGDQfm47DERZ1DEUW8zBSzILigAnqLfe5vsjU6ibCWF1YQgmg9EL6M"
    "OPRkvm8B/g90euOu1iR1xMhLVSf37B7U8LZkgxYygEEPzyKxTbMLjPLIh/evfG1GaOlZkI"
    "toUdqHJDrjxVdmHPLrn8RrVFaCeGKZyFy9ftvRWAwhMBO5wNM8aZTyXDK0h/gbOBLxwnmk"
    "LxBAkHu24SjjIlY7EpXTg4p1A6HMC6rGMYN8ORcTcYGUanMN9iidRsiIpMwXGuwlADBcAM"
    "h/CPf/Z6p6fnvePT12/OXp2fn705fgNt1XiLVedfwsGs0Qq7Uphdfnt5M8IBCbghwnsGC7"
    "4oGSppKKWUsUZfLAExo64O0lIPayLGfZsq4oK1Lta384EpIwU+3kr1wU9JafAbgx8+12qj"
    "nxHT8DeGP1zGYe2ZrIoKeDenfjn8ObGcAuBv7aMCXPrZcBifyTn8PDvegu1/+rfvvuvfvj"
    "g7fpkF+Caq6amqDVBTWYT6PeAkbZc9AHcomoPbimSP4i97CP4WsEeX14O7Uf/6A3bvBsEn"
    "RwHWHw2wpqdKV7nSF69zikk6IT9ejr4j+JP8PLwZKDiB7818dcV1u9HPHRwTXUhhcLE0qJ"
    "XGJC6OizKKjrlgXS2n5R5BxRGL0hp+fA2nGHtdJedEtZ7brOelL/gMlAdQFPV851LH2UhQ"
    "cqK7oyjHT8tPTnvnrxNGgj+2cZC76/7VVUg6cOM5vU9tfrBgQs37JfUto1AjemJT22KV23"
    "PzJZTTmQII/4waYWToeG8HHpXmvFNmBUkqu5VsIFa6eU0LiCPEfaA2+7ElgkxWREyn0DEa"
    "BSzYxyt7AP4BsqS2DFujQeHehosy/pC94zEugdaNEfz2xZLMBAvIEkpJIFyGRofYHEHW1g"
    "hVb0s0dzhsKtHUgg08IZxdmygef4emLRXaUvGcuzVfLHgJ8ttXokRod8CftHMNytgd1MOv"
    "LntbS2ni1mbiFkjqy0b8PCupd9qtU3NriKT6vAaC75RzyVR9RTqpPquRybuYgS3nIiR3Ed"
    "MD8odrLXCxqfJhwYciaFj4VUACKQB/JGpQAasGeTEeqzJYnCMm+LLIK5/0aqEDzUEm2gVW"
    "6vAZVFFu4XdhUhk7xqgfutMcGkjgkzCfQ8ccloXQwRW9OQ5DCsc6In10uDGQj9kv3NurhO"
    "JGLrQg6WRFTOr7NrO0K639nEgT1BYpI73uhjd3PfDTUo3AbxmTeh7s1WcB980+nLj9ATpv"
    "emdnFbw30Gqj+0bVZfFVS0sdgBOBQ0S4inust9k91iu4x+zAAMYD63TJs0MIh1G+YfVMy+"
    "WQnoDgU0Edr6y7pegXw+FVhp1fXOYeDDc/XF8Mbl+cKOihkS03PC8AOIAqmNvTkk3SQ5Cn"
    "JXcIelKyt6gr1AxzTvms2f60RF7bItq2SU1r3ClT8jeOoBvYkFOq1CkKHJQi3w9/uLgakA"
    "+3g3eXd5fDm6zmVGX2Zrod9K9ydxNsFuthG7bX2FbBNtl8131GZSX106ndT6dAGgFjvIme"
    "c7Ja023WtOmzhvdzVlLbxFut5sjm2cS5lZHUN3PbtNwWz8eA+jzEuej1iOu6lTweLNX6QZ"
    "fHj+pwS2zLR1Fm4YEWGsfVrNQBFMoJtX5bBBJjk7A+cUig9yE+ExJ7H94SmxPX5iAI01QG"
    "Rd/Hbi4bRRGp3mFzHYYRKc8GXWFb/KrMpF8F5H+CsyMyRD+HCkyiAfEZ4gkDM8UCZjvhgr"
    "jQWHsy2m/A1Z6MFinj2T0ZGvz1+qCDgv5eAXEto4vPg7258H3GzVrRWGmZA/Q1nVZwNZ1u"
    "9DSd5h1NExowQ3GvevM7K3cwB/p3PL+l7TUBPyOmsW8Y7JlsUJqooExaa6LhQW5GAxhnjW"
    "f8WqLRE75ta2su1rZasO22aNvCeYJkL11uBtsQgpkW2mYB28NFdZu7qD8alMPXIIo1Laht"
    "xa2zImYfQ6HZqFEca0ZUW4vbpue2WIuHGG/YKbMVhzXdSpZikbRtkGlKCTMrnfapq06YL7"
    "HphJkwsPDoOpVVkkjV7k+bYFvNy7QJtkXKeHYzlAZ//eDVJthncz9Em4yq+8NE4AANgCdV"
    "tocnm3eHJ4XN4b4EUj/9vH6MWGptzXhya4Y+vLUR/X3fqGWsLp89G7prYnbJSGo1t1vNOk"
    "PcAWq4LRaXD3MhRafM4hLWdCtZXLyk7YMWlz7xfCGmGH5vm3LhQ5Pl3DbneIZtKvyZkJJx"
    "MmHwPQzhV82htmhs+f+62qGdRV1XJ5fS5pY9V8Ya/N88VhJMdWFz6q/KgY8l8gGgKxkmPd"
    "wz2LcheDW8yCw9wNUvLm/6tz+9uO7/92Vm/bka3nwbt08vKxc/jQb9/GkIet8o8iYtp7me"
    "ZgKbmAAuUuVMQNVUZAJJ22pn9KE9JgiS0cH56JQ8weQ6vzOrm+SYXL9CBE+4R8t8eJ7dpR"
    "bDFJX3MAHDs/BCenjMXrGSDYf0d3Nd7ctp9XqmyUWLlKF9Oa0Af/3Aq62BgqhWQ2M14KJS"
    "x0get9cenQoeHbX4N7GpZQQ1l9ZcegOXHjHfDUq5dFhTjUvLpG3FeNcowybQWdO2mJWQ2I"
    "je2phecxq9rU74QF7j99RRlbM9zGuJL7TD98jBPFHnlGYCPlZLoK9sU8Drk183jHid4Bv2"
    "ouSe4/EvCw+IteECV2dRrMWv+Eo8X7iEM+rjiasp9Y+gqYTHCd6Fhue5cQp7CxPUw/UIVK"
    "rBQi9HeJU4Ub/hCouFaUbVGa4osajKNeoJKxrHEmiH+nfjMXQAo1PJ8sODDR5dheMKdwd0"
    "nXkUAcL3CO56k/D4IYd6r6D3Cs/Jk3TCLJ0wax+xTdasek+NjJgOqGr2zFA8ooj793fDm0"
    "3RnJFAnvLbpiR/EscOngz5zr+mC24irmSysB1p8+AIr/fvzu7nPQKUYf/xHivxa6S2X+9K"
    "vBrYwUX+RvBhSgukS01uh6KwjiZvelsAhEZoRGugiRJhrYmmmkjvV4pq2Bz3nBM7IAX0Tl"
    "6dv3pz+vpVgntSsg3ukkkOGG1KHb39RG9Wcndr79nTIvs4Z3o/LWzYWDbJD12Q1Rmia2SI"
    "zhgr6tiLC4K7Mxx3vEil+2g6jk1BdbBOy+wSZp951I9S5u0j1p6o5QKJmu8QYR69s2Efwc"
    "3bKOvRvTJpvR2tzvZa46iwvU6pmwLKu9WcFFHLCqHWjEDj6MyNCntGN0ASLY3HeOkKvcdB"
    "N5fx8m0oE78wTMVWQzFz8DCvMuJTV/AZ1rplMdm7u7B+Y237772utuW3SRn7mu7rIOBvzT"
    "oEf975gO9pLF+O1tUVVyUUqOo6Zz5bJ23Gk53Lue2w0C09p5Z6g3nol5Yi9mm/TUWY0KkE"
    "wdNjzL9cmhT68S+gD5a2+KbSC0yrlKHzVLQE/t366tuG+UE56/9m4FLTXMDEXhkl7pgtGG"
    "fF9LmICkjPGbXg8jDumc9YiZd+C9wlshrzCpgHHmOW4Xr10M5IaZwr4OwzE402zTJoZkT1"
    "0XN99Dy9k/7yF1U0C3U="
)
