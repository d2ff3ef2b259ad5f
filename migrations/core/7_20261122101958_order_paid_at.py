"""Orders keep when their total was covered, which makes them paid for good."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Add the moment, and read it of earlier orders from their history.

    An order that was imported as paid has no history; it counts as paid when it was last changed.
    """
    return """
        ALTER TABLE core_order ADD COLUMN paid_at timestamptz;

        UPDATE core_order o SET paid_at = c.paid_at
        FROM (SELECT order_id, owner_id, min(changed_at) AS paid_at FROM core_order_change
              WHERE field = 'payment_status' AND to_value = 'paid' GROUP BY order_id, owner_id) AS c
        WHERE o.id = c.order_id AND o.owner_id = c.owner_id;

        UPDATE core_order SET paid_at = updated_at WHERE paid_at IS NULL AND payment_status = 'paid';
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Forget the moment; the history of orders has it."""
    return """
        ALTER TABLE core_order DROP COLUMN paid_at;
    """


MODELS_STATE = (
    "eJztXW1z4zaS/isof0m2SuuayOOZ3MzWVsmzvoyvPPZWrNskm0mREAlJPJEAQ4CWdXv574"
    "cGSYmvEknrheLiy4xFokHqAdTofrrR+NeFxQJyObIswvmYLQi9+ID+dUGxR+QfxZsDdIF9"
    "P7kFHwWeuOu2BlZtDbFuPOEiwJaQDabY5UResgm3AscXDoNnXYyQaozYFGG6QguH2gPEhe"
    "zMRpgjR3D09Hn05+H1u0v0kyPmyDQdbnDXsR06M00UcoLIiyDUhsYDtJyTgCgx6ApBQ8Ll"
    "M9glvI/NLPlCUvL4jw6p83tIJDQzImRD+QK//iYvy5bkhfDko78wpg5x7cwwODZ0oK4bYu"
    "WrazfO7I6K/1Rt4YtNDIu5oUc37f2VmDO6FnCogKszQkmABYEniCCEEaGh68ajmAxS9LKb"
    "JtFbpmRsMsWhC+MK0tELbK5dGMbD49h4uh0bxkVhzBOJ1FjElyxGYb7IV+UKgBm8wp//Yz"
    "i8uno/fHP17vvrt+/fX3//5nvZVr1v8db7P6KX2aAVdaUwu/vh7mEML8TkpIymLVz4Q8lg"
    "gSMpNRgb9NlSImY0HYO01O6RSHDfNhTJhc1YbH5SPRuMDfjwSyoC/2mOg3LYk/Y5yOUXOU"
    "fIPfxiuITOxFx+HL7ZguY/Rj9++jz68dvhmz9lIX2I7wzVrSy4Sv0Zc8znZXOb4mBVDnJW"
    "Lgf1ZCXke50f2Num6v3jDfTscf67G6N9c/cw+vGXb7+MflaAe6v41v3jww9Je59xMQtURx"
    "c3v4xvRzn81f8NJnfSvoeT+7s3dWa3bFU5vdW9LL5qLW+sudNSrTR3vER2BuiTKG4eTv6H"
    "WKI5+hk5jX9r/C3mR3o4i/0oCHCFWt+I5GB3HX6OFssWDMe3P49//S0HGXnxHamtDSyKsP"
    "1Nfm3heKQcuaxkDj07Fr1M/ji/KbwNybsvt0/j0Ze/ZxbIv43Gt3BnmFkbk6vfvstp8XUn"
    "6Ke78WcEH9E/Hx9u84vout34nxfwTjgUzKBsaWA7jUlyObmUGeWAPEvzxW4xyllJPcpdHm"
    "UXc2FIB73NOOdl9Uh3eaQ3lEyJocGYSzCtYEkygnkvRkoeaslLKJQjOzGPj/eZMb25yxkR"
    "D//95eZWGtlqMGUjR1TYFlZAAJIWP62s5B5+WOdkc5zDLws4yOkixYPBhQm2Fksc2EbhDh"
    "uyqrbFW97Qy1/BFM/UIAGafwxixvmezRz6idnkokBGb24NdlDRLrSUUy9uWoOIhrZIzLFA"
    "S8wRJ1QgwRBnHpkwe3WJbpiYIxwQtCC+AIZ4QVbERsCDEP4RmWbC+ZkmeoMcDsQyZUhdRS"
    "siyhjoozxTU8+ddto09dyhwUhPfflrdMSqBUFaENUc6aAlR+qHgWzSiCZNifSQKd1/GADW"
    "oBaTPCOmJ3jbCb4MGJ0Z8rXK2LonD7tupaLPiR5P1785rKK/Gr5/t1bt8GGbMn/6Mrq/L2"
    "rvDpF5ZzTJz8JHSQ9zS4pHsztnMr6aaujtMHeHahgHq4typgHuDGoRDSJuuZNn+MyW0kkX"
    "hCIs/X05SyPXH1ZxG4XSbXClV79Zg0wTvHzp9StTS3r50sfHKRYAHP7lXJq7yBHyXpFjOM"
    "LzNL/QaZdW8wsdGoxUahtpQy2kpbTTNWjpdFW4W5VT/gQ+1uHn+/C7t+/ffn/17u16mq+v"
    "bJvd2tfSRtpxjbRHWHCKFlp0eZd5xtat6uxFIBRTcYlun0kgJ6McWURkUzQhLqMzSOZH5E"
    "X24a4Qo6R0S0HzHrT51OkVu9p8Ih523CbM9Fqgj7z09XUdYvr6upqZhns6Q/qY+Poupo1C"
    "K3H7Vvh2jCbLwntdJ6xyXR1WuS6EVSC/KOQ+kd+uTEvvSk1Kix4xOWl9RWcnaWtUW6Ml1u"
    "iTItGK5mh8fZc9yjfNdhqk4zkk/qyAc5OmJEeOHE0sZxfc/yabC/QBzEkUsOUAedgmaAkb"
    "VqU5idTTi5bqfrveswm7Pey5T+apC1Zs+3BntWkqx68xr6QppaaUUjf0EexXK1FHIlY/27"
    "XRulUN71haf1acrSjwgnDEApsEJTGH6qZf6Vdqmh6hoSEdZC67Nk00k7qFR2qFgNuMrDmm"
    "s1gcI2gt5dXOej9wLNmbxULXRnwOOsk05ZewFqn+Cj19pVLNycbIC605RDRcMpU+umnOWR"
    "jwKMgBCo2pvWegE+NbBrfm0mnjl5/h0w2zVxAfgf5ZKCACAlIKQxUncZd4Jb+qNNwu4Wv6"
    "EoOoc3i2bL0gxOco9KM3hO8TwTKAzM6o/eXflVD6IQP48ngqSASBaaqojWkOohCM1M6uo6"
    "mE86YSdCTmhJEY4Qi3Ec2wFtA8Qz2egbthyfacaoCT9j3E94A73RVMTVDOSPUQ66s6UF9V"
    "I31VLJlBPGnaiGbaIiVzPJDXfx4F6f3TZ1YYBIRaJW5MNdJpmT5O5zqzuXoyF+ay45H/la"
    "59s5VvI9NDhA8wjZm01oNms3gj0j+efVjHuKg2LQoBjHnDCbwW6B+0+1/tsG0HhJckylTj"
    "mxLpH8LXtWy36y2223XRdnO44YcT1+HzNnGijKjexF4/TCSxg7o2bTDfyGnA6wOeJv2a0R"
    "x5yeNRHd8dSq2cpiZUmidtNgQFUT0G7cZA0cpF7P/r6fGhHPm1QD4e7VgC/R+qWZurY8vq"
    "FhgBiYzGSRbPdXgmpXs+lQRnoIObvJmIrRIrsRr0pL3GvD3mNl4ZXOBAGJ5DQ9F8e2tpB8"
    "fTO8O3Z7DNVUjzFL64MfGL8Fans2elerNxeG8Z7dLIA4wcarlhq/StvLQ2FBsYilBYIJmi"
    "jdbKouSrFHg73vUv05BagCyahI4rHMov4bF/PRQRe2y9zknw7FjEsOY4mDVUPKWyWv0UDP"
    "UsTHL5Y0FDe72ih95gfWzXKYenVDQNi+tWdPDvWWoXEpyzgEit3SpNuqIXnTHdJGMa87kR"
    "sJBCMcw22qaiA61s2ikbncHeStHoDPaaGaOf5HjPWFnRi/WdwY68UUXJWunWNfJH5wSDgl"
    "AHLkVZk99wld1ZlkG6vbFOdOy0LtOJjh0ajJMfiKLBhyt6L+uB97Iy7ojSwFblzE6L9MZY"
    "3ScJKhd057lk1u5yyzZymvjc7od1wiC8fZHftWgNRpd3mYJk3WqnCfjEPBLVxJBmMrGhGA"
    "amSOLhDdA0vcPnI+LMtRHsf4HrM8ZstQsmqVcGdw1514i3whQNyMM+SpufnV50tfnZocHQ"
    "5mcnwJ8FLPQbg5+W0uBr27+rtj+s5G2Y65xgb5yAY5+VwY3ETmoRw0lJ6rhNg7hN1jRtGi"
    "soSutS6F0LF2h+Y8/8Rnfc7R/Asroo97mje4M6jrcxW7fd6X6rvtURYbErHFfYCAiyoKQ3"
    "RYlD+wHJ61JpcyE9YLk6QrEJecVj0QX8Aheg9sXUCdSlaUCIoTaumSaCD0WP/OhP1056p6"
    "0H7aR3aDC0k94J8EEtNsY+JaSh1y56R110T53GGtISB3H7NpCMYG+s2H1s/oBBawdpWrAV"
    "pB3z8/YI6saWbIpqVlLP1HQhAddlS24ExCdYlCROb6WIisKaJWrAEmneoC+8wZ009C4KjI"
    "G6OqiTr+kkLZsE6uPylpy4Lr9Mim1KN/sBigI7HFEmkFJ6xIaTw7CQgzGB3ZqyzZzJLxV7"
    "6vD9wPlXnr+FfTxx5Jx1SEn50KM/XTMFnTbSNVPQocHQTEEnwE9y7xvjnxPUQ6AZg44yBu"
    "k3K8A8Ji9VZSOyYn2oQrZje2XGUShs8c5Us0+a5/d952hIT5qfRhg0OtwqI9QH1At1e2sW"
    "7t1aubdQ/u38Uld6p8hPV0SlazN+/zsIdFqQTgvq3DzvU1oQ1ABlfujisuVjV/HQjaD+hT"
    "WrHap3RmkO+8w47EIp0AZorttrM6ciumUAw6+Oc2oT3spKa2XcQDdsOP8i8NWl4rJSukzc"
    "dg6hRZk4XcSmt+ZnJ4KhT7AifVLH+10UYqLpm4PdRyBaC8PaNN4ZHX2kBHnsmXiEqsMCVQ"
    "8DhKmNlvNVMZ5Zo72OQHaaK9IRyA4Nho5AdgJ8nat8MuifceBgKhqjn5XrkSt3ZPxt4grc"
    "wHtet+/TnN+b+yzNfV5G7VSHGjcSPYyl7/8MOsUrNLdRUlJaVbTO01F+RSs3OCOp3WDtBp"
    "e5wf+IlvSLgguc3BjscH+fU+1q1HCNj4BKb+NVh9njqJpW5NV6eDUhUfIuOLoq75Yj6fRA"
    "jq56IHRomnEvStMgOMQewVeAE+1L9g8f+dnaI++0htUeeYcGQ3vknQBfe+Q6F/j0/stBco"
    "H5ImwCb9y8l1mo9ZJQt+Wg5sGd4MBidqP5mxLRINcCmamXahSjTonoAPXeA9Q68frkq6bF"
    "PB9Lyw8Lo/VoVPehSatXWPE6O0yX0T/ThDCdLNqXggePKiGyQG0+JnmSW4nNdTZlDVoz5g"
    "EHEZFoKyKRU+zzORMCPgtVR8BjKoXHEWiJOfJdLNuWEJWv6e0r/UpN08cOEP+mCTUOlnNC"
    "5T84arcgvkhYTR+voAseF0IMCLbmsn+4JZjA7kfECUGmOcEuphbRhxecwzKsmc0ODYZmNj"
    "sBPg29SVlifSXuG4E+ob43m3QScocSzg0IH5cHpit4n7zgtrj0GQK9BUWIM+c3DsO3LqBX"
    "zZol7XvI+l7VocyuqhmzqwJhxgUWYQlftoX1XUv0EOBhHYCH1QAPCwDbxJXeZbAymiNdIt"
    "o/Gnj/iMf2egvAi5J6itcA3AqDgFBr1QTqtEwPQb6qo6er1XRBS4cT5Wq2oW6Lsn0y1o6d"
    "k+xwVQjRaD0cVT3oQXlFgCP0GZSvbhZdzYn1b2m9GtbRQsNqNTQs6CESPEP0x5KgzloFkq"
    "p60NP/NfskIjNxSloNSbm8HpDWAwI1q1qvDyXCeijaJ+txAwB1qOWGNimjFXcEB/PSRwwR"
    "noaA2WOIUDh+q19AWkzP/dZzP5Bmpi1fq80YFGX1QLRfD1qvBXod2NMQqFBvmyy0jFxvkh"
    "aOrYnIVKoT0moEirJ6FF7xG2i+QzIlpmtUdm13ZJaG5YJ5LXIXcoI9Si88NhGVANl0o0pB"
    "sH9k1GFOpJcgNQJ6LdA/gPdf0UDqHqmeGkXQUiJ9RLgexNswLoCs0imNqtSbLVkOObn+wb"
    "3/QGXAmNcC6pyYRno30hxSZENXmu3TMoN/R3H0vLC2O7tsd1JWlt22ZVcuK01q68XvqNYK"
    "Mdx2esmw5PQSzsLAaoTxRqKHyRUHsHRC2yG0GcRpmR6CvP81wbGJ58vfPrVWxoI0yhYqEe"
    "2h9jiEh2S5DmS0hWEZKbDFIc2KabBrgT1h9sqYYz4v418oDlYV6d5psXyAcRUXTz8vsLdR"
    "KfHO8bVpIxG9uXsY/fhL+WFqNyU7zW9+Gd+O8o6UHKOFIdiCNKpymBProSZ/97bGTH/3tn"
    "Kiw60yqJtP9Kxcy5neNbBPMdWlzwPF1IroV5e5SMscv87FafA/SEWLk5+EcT6qXh950Zmh"
    "ODtWIfTtlsOcldTD3Llh7k7Vg6qTTdI3B3UqIDQ+2SRqny6P+g1HsO+IfEDLORuoegQDNA"
    "2Yp6oSDJBg6o/yg09e152uVdDpALOuVdChwTh5wXcNPlyZJuDW9fPXAj308Pe/LRwWCuMZ"
    "u2EjSjwr1T/ScP84S8uoMcppGY3xboylLVYWg94S2UkEeqgq9h870+HfVEXbmiVtt9a0Le"
    "6v16ebaFf40K7wPXDD5Y7wfUwb13CDE4a5ziEn6jiQlMf6MT4bBAr5qZp+8s+AIDlnuWrX"
    "oDbgfvvW7nGnnQLtHndoMLR73Anwq6vzPnnYdTtWovfw8F8N379bAw4ftkH89GV0f68Pfu"
    "nQdNZHseqDdzri5B0kcez3UM5SR5TkRFZO7bRInzTL3qqvyu/1igMvyqT7BPMpFHi5QVKd"
    "M5MR0ikz7VNmyIt8eKN0pY2EzhV7BfCaGz301ph1OcXXlGLUGn4/Rc9aljvT8O8HfgDJmP"
    "gNjMicVJ/w35sdqas3dWByLwg3Ks5L21rBLyd5xOp96ytnVb6vO/GoMXbd1UV5QCq6N6gV"
    "kRLrtjtDUp/ZEslXWkUhIw5xITjrCUXl4KPT7gOC5pgPVCAJgkYu5gJFtQEgcjTDzwSxUC"
    "AGh0k5Ujg5ywPZeFWMVB3+kXDU1UjZ6yoehjzHdeG40fiBmPIl/A+nWZmmUlmmGeWJzonE"
    "G43lEwP5lg7fPFzAMVnw1hJQynF0fqkrf2PyLTlTt79SsWRxZM1DlDzLl11i+bpTFkRfkU"
    "Es7djxtf2fFKTDbDrMdsq1UR8y1HyRLDlkCPRaZWmYyjmck+rTNN6b/UzJspliiAV0mceW"
    "od+A+Fi9VyPUM2Ia+7aFTrFdEsTZXt80FtGYv+r4g9Li7rtPPSit6q6xb3C0vEtEU+wzYh"
    "r7ltjDYcOu2xj7tJjGvj723aBGQjFhL7fPhIqLIjeSujnYRY6otvV4kRFFBDoFhgF4giVe"
    "wfZR+HOOqe2SQPr9y8ARgsgGVPEEaWZA0QUWDrk6Nbv0KO999h8d7m2HJHu2N0a2w30srD"
    "kJkAePwAsi23+Ak8KZ/FEMEAuSpi7BkBgcyD996BjhqSDwaYodNwwIItTml8g0oxe0TfMr"
    "jTKM4eWSt47ebA4EjU2wK9DSEXP5yI9S0GZ084KciPjJrqva67zjrquDgSZEujQYJz9CvG"
    "vRd50neHTI85vB6u0F27YVrJDtIDVOEd/qNJ6kvU7ieUUSD7PUYbVt9t/lRPUGvM5twMv8"
    "upTJ2HSMN1J6eDs9vFj6D54vSvIgK62CtEhvfOW9Mfux71PEcxQEuKIEZEomB2j/VqPx7c"
    "/jX38rCzSRICjLJhqTl22BprVUH9JDd+C2fRXPVM1MmueX9pzpFPnbjbX7RkyfQtA17d4J"
    "Sm6M+WIcBvSiwMet7wx2kHFCNjRE0nInH/dTxFH5JHCYNOURiEeJOQGmkJezhNSdj1D4Te"
    "XdeOxZEVMOh+wb+L4oCCkv5eL23PcrKKzT+pKnZbEO5UlWU1ZqgZEj10JF5kS1Faz1ZFpP"
    "/vH/Fis0Tw=="
)
