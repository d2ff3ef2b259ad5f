"""The rules of delivery terms hold for the rows from before, too."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = False


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Validate them; they were added without looking at the rows."""
    return """
        ALTER TABLE drivers_terms VALIDATE CONSTRAINT drivers_terms_postcode_bands_check;
        ALTER TABLE drivers_terms VALIDATE CONSTRAINT drivers_terms_unplaced_addresses_check;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Leave them as they are: what is valid stays so."""
    return ""


MODELS_STATE = (
    "eJztXWtz27gV/SsYfVlnRvXYchynTaczcuLddcePjK1tu5tkKIiEJK5JgCHB2Oo2/733gg"
    "+RFKWQXEmmFHySBOAA0LkgcR94/NGxfPsL84PDfhDYE+4yLjt/I390OHUZfCnL7pIO9bxM"
    "JqZIOnKyAIPmAaNA+tTEusfUCRgkWSwwfduTtuCIG0wZmWOIGBPKifAt5hMpCCVRvYekn6"
    "ROaUCoJK4IoDRnxAx9H5HzSrrk0ZZTEUoyHPrMYTRglkHlcHiIXbKECX2y+WTrrX/kH/lw"
    "yLgVJxA7IAGT5HFqO4xI6ErUBiRbzMGGmQVJwBzkW2+K9RGP+S7l0KQz60JnTPgrXEA1ft"
    "xt7OxHntbbxbo4dFrREHL7c8gMKSYMIUDGh0+QbEPvnliQ/PQejLHNHCs3NmwLK1Dphpx5"
    "Ku3cnlxy+aMqiySPDFM4ocvn5b0ZsMJTgB0NkAnjzKeSYQvSD3GA8NBx4lGVjJmos/MiUS"
    "8zGIuNaejgMEN01IF5Wscwbm4Hxv3FwDA6C0MwQWTGRZxkCo7DF7oaKAIm2IW//LXXOzk5"
    "6x2dvHp9+vLs7PT10Wsoq/q7mHX2NerMnK2oKsXZ5U+XNwPskIBnJHqMMOGrwlBJI5QSxp"
    "x98QiMGXVlkEV9WxIJ76tEkSTMZTF/wvdMGBny8UGqT34GpclvTH70VqvNfg6m6W9MfzTF"
    "weQzmi0K4O2U+uX0F2AFAcDf2kUBuPTJcBifyCn8PD1awe2/+ndvf+7fHZwevcgTfBPn9F"
    "TWEqqpXKT6HfAkbZd9g+4IWqDbirGHyZcdJH8F2YPL64v7Qf/6PVbvBsFnRxHWH1xgTk+l"
    "zgqpB68KgkkrIf++HPxM8Cf57fbmQtEJet/EVy3Oyw1+62CfaCiFwcWjQa0sJ0lykpQTdK"
    "IM1pVyFrcGEcdalJbw+iWcUdnrCrkA1XJus5wffcEnIDygYlHO9y51nKUKSgG6PRXlaLP6"
    "yUnv7FWqkeCPVTrI/XX/6ipSOtDwHD9kjB9MGFHz4ZH6lrGQI3piWdnFLLfnFlMopxNFEP"
    "4Z1cPY9/HODjwqzWmnzDGSZnYruUWsbPFKTpGAUd+ckjEY7YkfgoxmRIzHUB86Ayww35Uf"
    "APtNHqktA1UaDf4HG9pivNzhsZaa0ZnRJ4/CfwC05wuTBQELCBbl7EmSQDIv9mzYkkwFMK"
    "7w6pWGjVApmevJAJoxRQgjR0GwEIXy9AuL/R6qJey2Lx5j1wiDxwDqZjzvNElUH/RzOGws"
    "0YWDBTwhnG37PNZv8mnXh3Z9PKf558NDWsL86qktBW2P+ON2Tmo5R4Z6v9ZVB+corQm2WR"
    "MMJPVlI4U/j9Sme6vFHNtmoLnYTl1BF7H6gW6zpBNNdVHKS+e9LGRv7Lne8cuzl69PXr1M"
    "5780ZdUk2DKjTn1eg7HtdErtukx+t5pppz6rGXb9xN4SYxU+hg9lwqCK+gNaQALGrQrUYi"
    "gajK+ogEsOhkOVCXpsbJe9WDTu1lp7FK120A7sgrnm8AlkUW7hd2FSmUShqR/Frh0aSKJy"
    "4L8mTUf9gba9KQaeSWLHYfupJRd3Gma/WfCRx4amDVYl1qgMqUCHrNtvKmi7rUXCyKqj0Y"
    "Ndj/wsqhH5LdNHnod79bnA+/JYaVJ+D4OkvdPTClFSKLU0TKry8vyqWaUOwSlgHxmuEobu"
    "LQ9D9xbC0HZggDYDk3PJu0MIMGL4ktkziyswPQLgpqhOZtbt2jPnt7dXOVPm/LLwYrj55f"
    "r84u7gWFEPhWy55H0BxAFVwdQel/gOvkV5FrlF0tOUnWVdsWaYU8onzdw2JXht0bfZonfK"
    "hPyjI+gSbcgpFeoYAXslyHe3v5xfXZD3dxdvL+8vb2/yklOZ+Yfp7qJ/VXiawFCsx21UXn"
    "NbhdvU8K7tccwh9dup3W+nQBoBY7yJnAtYLek2S9r0WcPnOY/UoaJWizl2dDaJ+eaQ+mFu"
    "m5TbEtW4oD6PeF6MaCR53UrRDJYpXTmc8UNAYhwZ+8KNfPuYMVPRBsoJtX4PA6k22Y1m86"
    "gERh6SpVJJ5OENsTlxbQ5AGKYyWB7n2Gyz8XY9aAAeQMGj/XoqqEFnWBa/KjcpdAOfPvJf"
    "FeLoE58hk8xKO8cFcQQYh3680k1HM9rvxNXRjBYJ49mjGZr8+RyhN+B9X5tPW6YyPg/30T"
    "5/s9bOxyxmD+NNJxXCTSdLo00nxWDTiAbMUPpXvfGdx+3NYqstj29pe03Iz8E09w03VqdG"
    "ShMRlKG1JBrucWA0gH7WeMfPEY3e8G2bWwv72qttbF+1s31hTUFqT5e7wpZsd86CVnnBdn"
    "BSXRUy6g8uyulrsGM8C9T+4tZ5EvOvociB1GjPeA6qPcZtk3NbPMa3uNu3U+YvjnK6lbzF"
    "Ii1baU+zKr7slLWuWl2OG4hFKE3hsvLdyw3q0K7WVutf2tXaImE8u7tJkz9/wWpX67OFGW"
    "JjoqodmAL20NF3XMUMPF5uBR4vGIG7cpbA5sf1Oo4T0F6LjXst9EKtpezvukGW8648eTZU"
    "18S9kkNqMbdbzPrUxT2UcFs8K++nQopOmWclyulW8qx4adlKnhVVPNpW7/lCjLt49po5zR"
    "6YNmJjEe/VV0Ugr9zD8ifq2qKnRbWrT1jTDpcdF8ac/N89VrJ16tzm1J+VE58gits9ZzI6"
    "SnTHaF/F4NXteW7yAW39/PKmf/frwXX/Py9yM9DV7c1PSfnsxHL+6+CiX1z3QB8a7bPJ4r"
    "S2p3WBZboATlLluoDKqagLpGW/qQuoanHunq+EjybvEcMl6IEKlvDMdTV4FOsDjLJoebuQ"
    "XjeZ/31iW4sKwrobiM6RjVLwch1UKYZD22KuJySunjMe2AywqGPIgISeI6jVJTb+JI8Ub9"
    "DhUl25g0ceRfEfrAPqmiagkbBmOhDU/qlQ6yUtEoYOBLWC/PmLtLYEFqBaDI3FgDNYHQ97"
    "Ul6HgyqEg0C/+dLIIZcDajW8dWp47myjvEpX52Eqge5f3GojB6Sh5mugKlzPr5CDNXQutI"
    "zsLfkW2mJ4DpjvRv+waHhGOd1KhqdMy1ZyQicmIVG4yIOstl6+Se9Eper417igzQJ1fOzY"
    "Z0wZbiF3bNdGB7PNiWUHknJzyTLADbUVbfoeQYEgPtt2OPwQemAyGm6XjFm81egTZKot55"
    "xRtQBxTH08JReHBF7kYyQ1APqD57Ox/dQlH8PeUe/Vp3w10Zm4kILWccglfcIejQEIXw18"
    "vgzPcyPjGYV8iP2Ll/l4dBbVE2XTzHG7dKZubGEULPOEqm2bwOvfdastYW0JP6cVoM+N0+"
    "fG7SK36YRT762Rg+k9hc3eGUoTWOT9n/e3N0uU7wRQNGhtU5L/EQdUlU0x3/n7OOSmOsB/"
    "FNqOtHlwiO39o7P9cY8E5bTyxNBJlfKMDfS2RCXHCs6LnoacflZHKotILZ61iyfknkNN9O"
    "hYlq8uFKzjJihHb88DB5MPlQa8NDcljk374dA2MgRaFk0mi0WwPm6k6aQBFBpRAKWBJErA"
    "WhJNJZG1whfFsPxgjAJsjwTwp66Byg1y4GjZ/QKrt4LkkdvTTE83y+x6NoN8Dm2fNbpEYA"
    "GrrxGocY1AcsWz4YKaWEdvWQBuUWXxYpHuorqidoKXRg2Xc53FbJNmn3nUj89V3UWuPVEr"
    "/B0X3yLDPL7YZxfJLbrz66l7ZWjtrKmu7bUmZGd7ndKAHaR3q4Xr4pKVgnVQGONEthUtnk"
    "xO04iCR7hoKOgWTkTuEvZkOqGFRxrLqIb0ikl1EAeUYc64PF632ea2GNVa/7o2HdXSUS19"
    "9uN3RX9r5hz48857geIqnXrm2RVnIARUm4P6ucuCk7UL8eygbPvM0o036c5DOpZQ6uQIT+"
    "EvvRpgTbXqrQItfnz0VNIqYehji1pC/3bXp7SN871aoPKdkUtNM4SBPTNKgiwrOM7D9Fqg"
    "CkxPGUWTGvo98VlZgH0F3SVYzXkFzgOPMctwvXps51Ca5wo8+8xE90yzg5NzUL2ZqHWbiZ"
    "7VZv76f0+EEvg="
)
