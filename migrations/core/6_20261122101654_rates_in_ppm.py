"""Rates keep four decimals of a percent: parts per million instead of basis points."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Convert the rates of stores, items and order lines exactly."""
    return """
        ALTER TABLE core_store DROP CONSTRAINT core_store_tax_rate_bp_check;
        ALTER TABLE core_store RENAME COLUMN tax_rate_bp TO tax_rate_ppm;
        ALTER TABLE core_store ALTER COLUMN tax_rate_ppm TYPE int USING tax_rate_ppm * 100;
        ALTER TABLE core_store
            ADD CONSTRAINT core_store_tax_rate_ppm_check CHECK (tax_rate_ppm BETWEEN 0 AND 1000000);
        ALTER TABLE core_store DROP CONSTRAINT core_store_service_charge_bp_check;
        ALTER TABLE core_store RENAME COLUMN service_charge_bp TO service_charge_ppm;
        ALTER TABLE core_store ALTER COLUMN service_charge_ppm TYPE int USING service_charge_ppm * 100;
        ALTER TABLE core_store
            ADD CONSTRAINT core_store_service_charge_ppm_check CHECK (service_charge_ppm BETWEEN 0 AND 1000000);
        UPDATE core_store SET mode_tax_rates = (
            SELECT jsonb_object_agg(rate.key, rate.value::int * 100) FROM jsonb_each_text(mode_tax_rates) AS rate)
        WHERE mode_tax_rates <> '{}';
        ALTER TABLE core_menu_item DROP CONSTRAINT core_menu_item_tax_rate_bp_check;
        ALTER TABLE core_menu_item RENAME COLUMN tax_rate_bp TO tax_rate_ppm;
        ALTER TABLE core_menu_item ALTER COLUMN tax_rate_ppm TYPE int USING tax_rate_ppm * 100;
        ALTER TABLE core_menu_item
            ADD CONSTRAINT core_menu_item_tax_rate_ppm_check CHECK (tax_rate_ppm BETWEEN 0 AND 1000000);
        ALTER TABLE core_order_line RENAME COLUMN tax_rate_bp TO tax_rate_ppm;
        ALTER TABLE core_order_line ALTER COLUMN tax_rate_ppm TYPE int USING tax_rate_ppm * 100;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Round the rates to two decimals of a percent."""
    return """
        ALTER TABLE core_store DROP CONSTRAINT core_store_tax_rate_ppm_check;
        ALTER TABLE core_store RENAME COLUMN tax_rate_ppm TO tax_rate_bp;
        ALTER TABLE core_store ALTER COLUMN tax_rate_bp TYPE int USING round(tax_rate_bp / 100.0);
        ALTER TABLE core_store
            ADD CONSTRAINT core_store_tax_rate_bp_check CHECK (tax_rate_bp BETWEEN 0 AND 10000);
        ALTER TABLE core_store DROP CONSTRAINT core_store_service_charge_ppm_check;
        ALTER TABLE core_store RENAME COLUMN service_charge_ppm TO service_charge_bp;
        ALTER TABLE core_store ALTER COLUMN service_charge_bp TYPE int USING round(service_charge_bp / 100.0);
        ALTER TABLE core_store
            ADD CONSTRAINT core_store_service_charge_bp_check CHECK (service_charge_bp BETWEEN 0 AND 10000);
        UPDATE core_store SET mode_tax_rates = (
            SELECT jsonb_object_agg(rate.key, round(rate.value::int / 100.0))
            FROM jsonb_each_text(mode_tax_rates) AS rate)
        WHERE mode_tax_rates <> '{}';
        ALTER TABLE core_menu_item DROP CONSTRAINT core_menu_item_tax_rate_ppm_check;
        ALTER TABLE core_menu_item RENAME COLUMN tax_rate_ppm TO tax_rate_bp;
        ALTER TABLE core_menu_item ALTER COLUMN tax_rate_bp TYPE int USING round(tax_rate_bp / 100.0);
        ALTER TABLE core_menu_item
            ADD CONSTRAINT core_menu_item_tax_rate_bp_check CHECK (tax_rate_bp BETWEEN 0 AND 10000);
        ALTER TABLE core_order_line RENAME COLUMN tax_rate_ppm TO tax_rate_bp;
        ALTER TABLE core_order_line ALTER COLUMN tax_rate_bp TYPE int USING round(tax_rate_bp / 100.0);
    """


MODELS_STATE = (
    "eJztXW1z4zaS/isofUm2SuuayOOZ3MzWVsmzvoyvPPZWrNskm0mREAmJPJMAQ4CWdXv574"
    "cGRYmvEknrheLiy4xFokHqAdTofrrR+NfAYiG5GFsW4XzCnggdfED/GlDsE/lH8eYQDXAQ"
    "JLfgo8BTb93WwKqtIdaNp1yE2BKywQx7nMhLNuFW6AbCZfCswRipxojNEKZL9ORSe4i4kJ"
    "3ZCHPkCo4eP4//PLp6d4F+coWDTNPlBvdc26Vz00QRJ4i8CEJtaDxEC4eERIlBVwgaEi6f"
    "wS7gfWxmyReSksd/dETd3yMioZkTIRvKF/j1N3lZtiQvhCcfgydj5hLPzgyDa0MH6rohlo"
    "G6du3Ob6n4T9UWvtjUsJgX+XTTPlgKh9G1gEsFXJ0TSkIsCDxBhBGMCI08bzWKySDFL7tp"
    "Er9lSsYmMxx5MK4gHb/A5trAMO4fJsbjzcQwBoUxTyRSY7G6ZDEK80W+KlcAzOEV/vwfo9"
    "Hl5fvRm8t331+9ff/+6vs338u26n2Lt97/Eb/MBq24K4XZ7Q+39xN4ISYnZTxt4cIfSgYL"
    "HEupwdigzxYSMaPpGKSldo9Egvu2oUgubMZi85Pq2WBswIdfUhH4Tw4Oy2FP2ucgl1/kHC"
    "H38YvhEToXjvw4erMFzX+Mf/z0efzjt6M3f8pCer+6M1K3suAq9Wc4mDtlc5vicFkOclYu"
    "B/V0KeR7nR/Y26bq3cM19Oxz/ru3Qvv69n784y/ffhn/rAD3l6tbdw/3PyTtA8bFPFQdDa"
    "5/mdyMc/ir/xtM7qR9Dyf3d2/qzG7ZqnJ6q3tZfNVa3lhzp6Vaae7VEtkZoE+iuHk0/R9i"
    "ieboZ+Q0/q3xt1gQ6+Es9uMwxBVqfSOSg91z+TlaLFswnNz8PPn1txxk5CVwpbY2sCjC9j"
    "f5tYXrk3LkspI59OyV6EXyx/lN4W1I3n65eZyMv/w9s0D+bTy5gTujzNqYXP32XU6LrztB"
    "P91OPiP4iP75cH+TX0TX7Sb/HMA74Ugwg7KFge00Jsnl5FJmlEPyLM0Xu8UoZyX1KHd5lD"
    "3MhSEd9DbjnJfVI93lkd5QMiWGBmMewbSCJckI5r0YKXmoJS+hUI7sxDw83GXG9Po2Z0Tc"
    "//eX6xtpZKvBlI1cUWFbWCEBSFr8tLKSe/hhnZPNcQ6/LOAgZ08pHgwuTLH1tMChbRTusB"
    "Gralu85Y/8/BVM8VwNEqD5x3DFON+xuUs/MZsMCmT05tZwBxXtQUs59VZNaxDR0BYJBwu0"
    "wBxxQgUSDHHmkymzlxfomgkH4ZCgJxIIYIifyJLYCHgQwj8i00w4P9NEb5DLgVimDKmraE"
    "lEGQN9lGdq6rnTTpumnjs0GOmpL3+Nrli2IEgLopojHbbkSIMolE0a0aQpkR4ypfsPA8Aa"
    "1GKSZ8T0BG87wRcho3NDvlYZW/foY8+rVPQ50ePp+jeHVfSXo/fv1qodPmxT5o9fxnd3Re"
    "3dITLvjCb5Wfgo6WFuSfFodudMxldTDb0d5u5QDZNwOShnGuDOsBbRIFYtd/IMn9lCOumC"
    "UISlvy9naez6wypuo0i6DZ706jdrkGmCly+9fmVqSS9f+vg4xQKAw79wpLmLXCHvFTmGIz"
    "xP8wuddmk1v9ChwUiltpE21EJaSjtdw5ZOV4W7VTnlT+BjHX6+j757+/7t95fv3q6n+frK"
    "ttmtfS1tpB3XSHuABadoocWXd5lnbN2qzl4EQjEVF+jmmYRyMsqRRUQ2RVPiMTqHZH5EXm"
    "Qf3hIxSkq3FDTvQZtPnV6xq80n4mPXa8JMrwX6yEtfXdUhpq+uqplpuKczpI+Jb+Bh2ii0"
    "smrfCt+O0WRZeK/qhFWuqsMqV4WwCuQXRTwg8tuVaeldqUlp0SMmJ62v6OwkbY1qa7TEGn"
    "1UJFrRHF1d32WP8k2znQbpxIHEnyVwbtKU5MiVo4nl7IL732RzgT6AOYlCthgiH9sELWDD"
    "qjQnkXp60VLdb9d7NmG3hz33yTx1wYptH+6sNk3l+DXmlTSl1JRS6oY+gv1qJepIrNTPdm"
    "20blXDO5bWn7XKVhT4iXDEQpuEJTGH6qZf6Vdqmj6hkSEdZC67Nk00l7qFx2qFgNuMLAfT"
    "+UocI2gt5dXO+iB0LdmbxSLPRtwBnWSa8ktYT6n+Cj19pVLNycbIjywHIhoemUkf3TQdFo"
    "U8DnKAQmNq7xnoxNUtg1uOdNr4xWf4dM3sJcRHoH8WCYiAgJTCUMVJvAVeyq8qDbcL+JqB"
    "xCDuHJ4tWz8REnAUBfEbwveJYRlCZmfc/uLvSij9kCF8eTwTJIbANFXUxjSHcQhGamfP1V"
    "TCeVMJOhJzwkiMcIXXiGZYC2ieoR7PwL2oZHtONcBJ+x7ie8Cd7gqmJihnpHqI9WUdqC+r"
    "kb4slswgvjRtRDNtkZI5HsjrP4+C9P7pMysKQ0KtEjemGum0TB+nc53ZXD2ZC3PZ9cn/St"
    "e+2cq3kekhwgeYxkxa62GzWbwR6R/PPqpjXFSbFoUAhtNwAq8F+gft/lc7bNsh4SWJMtX4"
    "pkT6h/BVLdvtaovtdlW03VxuBNHUc7nTJk6UEdWb2OuHiSR2UNemDeYbOQ14fcDTpF8zmi"
    "MveTyq47tDqZXT1IRK86TNhqAgqseg3RgoWrmI/X89PtyXI78WyMejXUug/0M1a3N1bFnd"
    "AiMgkdE4yeK5Ds+kdM+nkuAMdHCdNxOxVWIlVoOetNeYt8fcxkuDCxwKw3dpJJpvby3t4H"
    "h6Z/T2DLa5Cmmewhc3gsAv4ludz54T683W4b3ltEszD0ByqeVFrRK48tLaVGxgKkJpgWSO"
    "Nloti5KvUuHtmNe/zCJqAbJoGrmecCm/gMf+9VBU7LE1Oyfhs2sRw3JwOG+qesqFtQIqGO"
    "tZnOQSyMKGNntFD73B+tjuUw5PqWoaFtit6ODfs9wuJDlnAZF6u1WqdEUvOmu6SdY05o4R"
    "sohCQcw22qaiA61s2ikbncXeStHoLPaaWaOf5HjPWVnhi/Wd4Y7cUUXLWunWNXJIHYJBQa"
    "hDl+LMyW+4yvAsyyLd3lgnO3Zal+lkxw4NxskPRdHgwxW9n/XA+1kZd0VpcKtyZqdFemOs"
    "7pMGlQu6+1wya3e5ZRs5TX1u98M6YRDevMjvWrQG48u7TEGybrXTBHxkPonrYkgzmdhQEA"
    "NTJPHwh2iW3uXzEXHm2Qj2wMD1OWO22gmT1CyDu4a8a6y2wxQNyMM+SpufnV50tfnZocHQ"
    "5mcnwJ+HLAoag5+W0uBr27+rtj+s5G2Y65xgb5yAY5+XwY3ETmoRw0lJ6rhNg7hN1jRtGi"
    "soSuty6F0LF2h+Y8/8Rnfc7R/AshqU+9zxvWEdx9uYr9vudL9V3+qYsJUrvKqyERJkQVlv"
    "ihKH9gOS16XS5kJ6wHJ1hIIT8orP4gv4BS5A/YuZG6pLs5AQQ21eM00EH4oe+dGfrp30Tl"
    "sP2knv0GBoJ70T4INabIx9SkhDr130jrrovjqRNaIlDuL2rSAZwd5YsfvYAAKD1g7StGAr"
    "SDvm5+0R1I0t2RTVrKSeqeliAp7HFtwISUCwKEmc3koRFYU1S9SAJdK8QV94g1tp6A0KjI"
    "G6OqyTr+kmLZsE6lclLjnxPH6RFNyUbvY9FAZ2OaJMIKX0iA2nh2EhB2MKOzZlG4fJL7Xy"
    "1OH7gfOvPH8LB3jqyjnrkpISokd/umYKOm2ka6agQ4OhmYJOgJ/k3jfGPyeoh0AzBh1lDN"
    "JvVoB5Ql6qSkdkxfpQiWzH9sqMo1DY5J2paJ80z+/8ztGQvjQ/jShsdMBVRqgPqBdq99Ys"
    "3ru1em+hBNz5pa70TpGfspBK1+b8/vcQ6MQgnRjUuXnep8QgqATKgsjDZQvIrhKiG0H9C2"
    "tWQVTvjdIs9pmx2IWCoA3QXLfXZk5FfMsAjl8d6tQmwJWV1sq4gW7YsP5F4KvLxWWldKm4"
    "7SxCi1JxuoxNb83PToRDH2FF+qQO+RsUoqLpm8PdByFaT4a1abwzPvpACfLZM/EJVUcGqh"
    "6GCFMbLZxlMaJZo72OQXaaLdIxyA4Nho5BdgJ8na18MuifcehiKhqjn5XrkSt3ZPxt4gnc"
    "wHtet+/TnN+b+yzNfV5G7VQHGzcSPYym7/8kOsUrNLdRUlJaVbTO1FF+RSs3OCOp3WDtBp"
    "e5wf+Il/RBwQVObgx3uL/PqXY1qriuDoJKb+RVR9rjuJ5W7NX6eDklcfouOLoq85Yj6fRA"
    "lq56IHRomqtelKZBcJQ9gq8A59qX7CA+8rO1R95pDas98g4NhvbIOwG+9sh1NvDp/ZeDZA"
    "Pzp6gJvKvmvcxDrZeGui0LNQ/uFIcWsxvN35SIBrkWyEy9VKMYdUpEB6j3HqDWqdcnXzUt"
    "5gdYWn5YGK1Ho7oPTVq9worX2WG6kP6ZJoTpZNG+lDx4UAmRBWrzIcmT3EpsrrMpa9CaKx"
    "5wGBOJtiISOcUBd5gQ8FmoSgI+Uyk8rkALzFHgYdm2hKh8bW+aeuz0Oqmpxw4NhqYeOwE+"
    "jfxpWeZ7Je4bgT6hvjejcRpxlxLODYjvlkeOK4iZvOC2wPEZAr0FRQgE5/f2wrcuoFdNay"
    "Xte0jLXtbhtC6rKa3LAqPFBRZRCaG1hZZdS/QQ4FEdgEfVAI8KANvEk+5fuDSaI10i2j+e"
    "dv+IB3gJNnkLwIuSeorXANyKwpBQa9kE6rRMD0G+rKOnq9V0QUtHU8EE9tpwq0XZPhlrx0"
    "4adrmqVWi0Ho6qHvSgvCICEQUMKkw3C3/mxPq3tF6O6mihUbUaGhX0EAmfITxjSVDnrSI9"
    "VT3o6f+ajQyxmTgjrYakXF4PSOsBgapSrdeHEmE9FO2z6bgBgLrU8iKblNGKO6J3eekjxv"
    "BOQ8DsMYYn3KDVLyAtpud+67kfSjPTlq/VZgyKsnog2q8HrdcCvQ7saQgC7Nqt0sQycr3J"
    "Kji2JiIzqU5IqxEoyupRaOkmR1wwv0VsOyfYo/ywU41A050GBcH+kRWHOVRcgtQI6LVA/w"
    "De/5Z0bNsh4Y0iLCmRPiJcD+JtGBdAVvlwRlVqxpYoeE6uf3DvP5AVMua3gDonppHejTS3"
    "HGJHnjTrZmUG4Y7q1nlhXdy6a2UVMmllrCz7acu2Slaa9NSL31GtFWK07QCKUckBFJxFod"
    "UI441ED4PvB7B0ItsltBnEaZkegrz/NcG1iR/I3z61lsYTaZRNUiLaQ+1xCA/J8lzIeIqi"
    "MlJgi0OaFdNg1wJ7yuyl4WDulPEvFIfLinTgtFg+ALVcVb8+L7C3USmrrb9r00Yien17P/"
    "7xl/LzsK5Ltgpf/zK5GecdKTlGT4ZgT6RRmbqcWA81+bu3NWb6u7eVEx1ulUHdfKJn5VrO"
    "9K6BfYqpLn0eqIZVRL+6TkFa5viFCk6D/0FKEpz8KIPzUfX6zILODMXZsQpRYLcc5qykHu"
    "bODXN3tq1XHU2Rvjmss4W98dEUcft0fctvOIJ9KeQDWjhsKP8hdIhmIfPln1gMkWDqj/KT"
    "K17Xnd7L3ukAs97L3qHBOHnFbg0+XJkl4Nb189cCPfTw979tGBYK4xl7USNKPCvVP9Jw/z"
    "hLy6gxymkZjfFujKUtVhaD3hLZSQR6qCr2HzvT4d9USdKaNUm3FiUt7r/Wx1NoV/jQrvAd"
    "cMPljvDdijau4QYnDHOdUyrUeQ4pj/Xj6nAHqMSmirLJP0OC5Jzlql2D4m777Vu7x512Cr"
    "R73KHB0O5xJ8CvLq/66GPP61iN1cPDfzl6/24NOHzYBvHjl/HdnT65o0PTWZ+lqU9O6YiT"
    "d5DEsd8jOUtdUZITWTm10yJ90ix7q84pv9crTiwok+4TzKdQ4OUGSXXOTEZIp8y0T5khL/"
    "LhjdKVNhI6V+wVwGtu9NBbY9bl9l5Tqk9r+P0UxWpZDkvDvx/4ASQjCPwGVmRerE8jsDdL"
    "Utf36cD0fiLcqDjyamuNt5zkEeu7ra+cVYG37kSkJtjzloPykFR8b1grJiXWbXcGpT6zBZ"
    "KvtIyDRhwiQwRbDooLhscHlocEOZjH55hD2MjDXKC4OgDEjub4mSAWCcQoWjiuFE5Oe0A2"
    "XhZjVYd/5Ff6lY6Vxa4iYsh3PU+d0B4/EFO+gP/hBHbTVCrLNONMUYdIvNFEPjGUb+nyzc"
    "OFgwWCt5aAUo7jIyg9+RuTb8mZuv2VigVbxdZ8RMmzfNkFlq87Y2H8FRlE044dYdv/WTI6"
    "0KYDbadcG/UxNM0XyZJjaECvVRaHqZzDOak+TeO92c+ULJophpWALgTYMvgbkgCr92qEek"
    "ZMY9+2FCa2S8I42ytgrkQ05q8qkF9a/nt3XfzSut8a+wang3tENMU+I6axb4k9phbxvMbY"
    "p8U09vWx7wY1Eokpe7l5JlQMitxI6uZwFzmi2tbjRcYUEegUGAbgCRZ4CRtI4U8HU9sjof"
    "T7F6ErBJENqOIJ0syAogssHHFiS6HS05j32T8wHqZpR8TAwjSBuIDtrwgj2+UBFpZDQuTD"
    "I/ATke0/wGHPTP4ohoiFSVOPYEgNDuWfAXSM8EwQ+DTDrheFBBFq8wtkmvEL2qb5lcY5xv"
    "ByyVvHb+YAQWMT7Am0cIUjH/lRCtqMbl6QE7F6suep9jrzuOvqYKgJkS4NxskPme5a/F1n"
    "Ch4d8vx2sHq7wbZtBivkO0iNU8S3OpEnaa/TeF6RxsMsdZxpmx14OVG9Ba9zW/Ayvy5lMj"
    "Yd442UHt5ODy+W/oMfiJJMyEqrIC3SG195b8z+yvcp4jkOQ1xRBDIlkwO0f6vR5Obnya+/"
    "lQWaSBiWZRNNyMu2QNNaqg8Jojtw276KZ+pmJs3zS3vOdIr97cbafSOmzyHomnbvBCU3wf"
    "xpEoV0UODj1neGO8g4IRsaImm5k4/7KeaoAhK6TJryCMTjxJwQU8jLWUDqzkco/abybnz2"
    "rIgpl0P2DXxfFEaUl3Jxe+77FRTWaX3J07JYh/IkqykrtcDIkWuhInOi2grWejKtJ//4fw"
    "bAfRY="
)
