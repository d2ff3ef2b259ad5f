"""Find members of staff by e-mail alone, for logins that name no store."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Index the e-mail of members; the unique index begins with the store."""
    return """
        CREATE INDEX staff_member_by_email ON staff_member (email) WHERE email IS NOT NULL;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Drop the index."""
    return """
        DROP INDEX staff_member_by_email;
    """


MODELS_STATE = (
    "eJztXG1v27YW/iuEvywFnCB1mqRbLy7gpNkarEmK1LvdSwaJlmiLsERqJB3XGPrfd0hJtt"
    "4c21qTqL78lJg8h6SeQ5HnOYfU3x2p8Gh08JbcU4/ckr+mRKrOD+jvDsMRgX9q67uog+N4"
    "Uat/KzwMl/KOb+QdkVMYSiWwpxsf4VASKPKJ9ASNFeVMa/ZRTJhP2RgRJngYEaYQHyGMks"
    "aQCrBCMuAzCWUe98kb5LppR9R3XUQlkgR0GAhThWYYBONY8HviH+gh+NyDMUAHT9LblFF4"
    "eEfxMVEBEdDnH39CMWU++Uxk9jOeOCNKQr+AOfV1A6bcUfPYlJ3R8SVTPxpZ/SxDx+PhNG"
    "JL+XiuAs4WCpQZ3MeEEYEV0T0oMdW4s2kYpubKTJEMdimSjDKn45MRnobaelo7GcCyrOM4"
    "1zcD5+PFwHE6FctmGjn40yKPMz0rYKjSADDWQ9j/vtc7OjrtHR6dvD5+dXp6/PrwNcia8V"
    "arTr8kg1milTRlMLv86fJ6oAfEYeol81MXfDE6WOFEyxhjiT6fAWLOtjbIa623RIb7Q6bI"
    "Cpa2WL44O2aM/HLDBdka/LyWBb8x+OZvBfjzAIt62DP5EuTwIN8i5BH+7ISEjVUAP08OH0"
    "Dzf/3b83f9272TwxdFSK/Tmp6pKs1sPhXeVvAuNXYQ4JeHmyAMUishNnVFjPU+7QRYBnXL"
    "B8NiXg90Qa2E9XCuYFzfHtoPLQbvb850y5GUf4Up2meX1/3b3/au+r8avKN5WvX+5vqnTD"
    "7mUo2Faahz9tvgol9CP+Zh2AD9gppFvyn6C990u62zoNZo70w9xLZA/zxbpyeIRsjBqgr/"
    "W6hRNCIrFp+CZskCfqp6kP2zW+/C4PLq4uOgf/Wh8EK87Q8udE2v8C5kpXsnpR1h0Qj6dD"
    "l4h/RP9PvN9UX5pVnIDX7v6DHhqeIO4zMH+3lMsuKsqGBm8jmm0FwDMxc1rZlbZ2bNxkeT"
    "HCPUBUPsTWZY+E6lhvf4KtlqVdSLyiWY4bExkkZTjzMJtFzoYERI/CTg0qlGYkoC3bWhGJ"
    "IqpDGZTWMxgoypVEQgLhBUEcKS8IihWml0hDBfR0ckgXqF7nE4JWhGVYAI9gL04fK6m4j7"
    "CEtElUQf3/X3e8cnddGYR+3vjt2xTyDIp2oZxdEuh47jFGM3CDMfQRViXCFPI+fBK2haSz"
    "qcE2XjO+3fmm18p0XGsPGdVoBv4zuPGN/J7Srb8d+SYkMG3DIW9gwEeOHoDOfbTPKS2g7O"
    "9eNN5vrx6rl+XJnrC8wa8KCiqiVCrSNCeUOHWCpnKhtZuqz7FUz97Sxy34Sl20F5f4YhsZ"
    "V8N1/b3fDcwaYcN031GwqJ0QhGhUI+pgwN5/A7ItGQiDylxGhC5sTQw0CzU+B9iPqEKQpP"
    "KjSTNBS1jt4+ZleWibba/7ZMtEXGKC0vDZjoUsuC3xj8ZyZLbTPCM7AlvQU5Zgtq4NpVlK"
    "0bb527Wufuyng2NX5dWrHepYuWgutdOoZIFId8Toh2mjgjiUtV45GtktSpgkFA5to9Q4l/"
    "5rokwjR0XbTnYUn2Rzz0if/CZApcN8ZSzjjAlOQTujqBYZRieDvSHMOehG5cVxKhVy95AF"
    "XSdV8cQNlYYJhwrnvHkubAx6PwcKAE9kWKm14UnhA0EjwyfiAQaPKdRDEREZUSHl2+MedW"
    "tSJ4mEzqdgE8jQpsVaYtk0MhaEKVFxCG0lp5x2YBl1BHvQlRUsvMwbMk0KABSAEOVCpwUD"
    "EDpzQMD9BgxvdHYAV4TCoBODQLaKifTnEVO0luZnE89k1WbsigVCTWT0pNR0iXoaPDfdDh"
    "8JC6FiXD0QdykqyM55EYlowDBAabMpAbURGBX5zmgNKsKsIq6yg91etMwVUGkx2gM66CO5"
    "bISwPEEIx41OsiwjwxN61bL7r1voP1oltkDJvPaQX4Np+ziHH3jo83CHKD1Moot6krhbn1"
    "tr9VLiFTaIRwy6KbTwBwDCBtNYMXCrsH8NfP0hQ8061QLivuHtqPM51Tj3+7kEZeyyZ/G4"
    "YzNCfaZopn8ju4Fb7c7GLFA/cqyvM64ahVePtC4BWTeqlSQljTyceCuPOfEXBEjR4aTmmo"
    "NBXW/f238/QTfXDx6+CPPythT0Put0Iyp2OhLESRsvjGVnCW9P5PIU34RQVUKh0MI7yvWU"
    "rPOKyYmK0IaOT1ynsYKD4WpFmw44nBu7l5X9jDzi5LVO36l6uzC1hkzRoLQlStYHC5mFkV"
    "8gH5vII/l9R2wT1b8/4X8M72qnqXIRPPmeNcexE1yGfBwoYWqKpbS/xLS5iw7bbpqPoW7H"
    "mjtqWkKlZfZAW2Cx9WdZ8uiHj4WD78s0QQDYhNs8AVZfvGtfmNs1dUd9bM7cj1f6Csr5TO"
    "Gp9z2IVr0/5Vme7aEwA6QKaEOZ2//gjAICAwLH1kQOf1Z4Kzsb4ZKAsfd+JicbNQUv0BJ9"
    "c1f11XJ6wnZL64HFg9iTkLqBfoAwPVQwVP3LfNWLd6l7UZ6xYZw2asWwF+trxtlyHJa9kT"
    "n92GKRIYEKmJla5mWZn8Ls333stXp69eH528WkzzRclDs7tmGdF79raO9ELJ+tCt86ELtJ"
    "h7E+A7jYJRZV1Littm6dawpQ88pN68U8uS0rruRuwoXgqvJUifDIdIyIjMf2MlwvlDz8Bb"
    "3pjravqbKRgJPuvq87/pXbSoSn6+YrtPSGy+vl9n+Y3lN8/pYpe+9yQdzsKaDyI8mM9d2c"
    "YT5nafyfn+d7nddmwtt8Tj90TMz7lPanaXQvX6DUak4o6XyW9wtZozsq+9G5RpJ3c6Rlzo"
    "vWCsv7sO+0G2D+jbILBNB/p+s4f11RIY06rr0HXXqx+7Oxtqa/XqZ7eiFhnDXrFuBfj2W9"
    "jPGWxr+M0c+7mcro0b1Dp3X/4BOtn96g=="
)
