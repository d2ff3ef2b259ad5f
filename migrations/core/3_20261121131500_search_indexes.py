"""Find a customer's orders, and words in menus, without reading everybody's."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Create the indexes; their expressions are exactly those of ``comanda.text_search``."""
    return r"""
        CREATE INDEX core_order_by_customer ON core_order (customer_id, owner_id, id DESC)
            WHERE customer_id IS NOT NULL;
        CREATE INDEX core_menu_item_words ON core_menu_item USING gin (to_tsvector('simple'::regconfig,
            regexp_replace(lower(regexp_replace(normalize(name || ' ' || coalesce(description, ''), NFKD),
                '[\u0300-\u036f]', '', 'g')),
                '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g')));
        CREATE INDEX core_menu_category_words ON core_menu_category USING gin (to_tsvector('simple'::regconfig,
            regexp_replace(lower(regexp_replace(normalize(name, NFKD),
                '[\u0300-\u036f]', '', 'g')),
                '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g')));
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Drop the indexes."""
    return """
        DROP INDEX core_menu_category_words;
        DROP INDEX core_menu_item_words;
        DROP INDEX core_order_by_customer;
    """


MODELS_STATE = (
    "eJztXWtz2ziW/SsofZneKk0qLcdJb2drq+SMt+Mtx96KtTPd0+miIBISuSYBNgBa1s72f1"
    "8AFCm+RdB60Bx8SSwSB6QOoIv7wsU/Rjah6M3UthFjM/KI8OhH8I8RhgESf5RvjsEIhmFy"
    "S37kcOGnbS2o2lo8bbxgnEKbiwZL6DMkLjmI2dQLuUfks0ZToBoDsgQQb8Cjh50xYFx05g"
    "DIgMcZePg8/fPk8v0b2aFDbNGjh1cdsBH2fo+QeLkV4i6ioodffxOXBQo9I5Z8DB+tpYd8"
    "J0eE58gO1HWLb0J17cpb3WD+H6qtfLOFZRM/CvCufbjhLsEpwMNcXl0hjCjkSD6B00hygi"
    "Pf3/KY0BS/7K5J/JYZjIOWMPIlsxIdv8Du2siy7u5n1sP1zLJGJdYTRIbM7SWbYDli4lWZ"
    "ImAlX+HP/zqZXFx8mLy9eP/D5bsPHy5/ePuDaKvet3zrwx/xy+zYirtSnN38dHM3ky9ExL"
    "SIJ4688IfCQA5jlBqMHftkLRizdMcgi9o/EgnvTUORXNiNxW5SD2wwduTLX1WZ+E8upNW0"
    "J+0LlIsv8hopD+Cz5SO84q74OHnbwOZfp18/fZ5+/W7y9l/ylN5t70zUrTy5Sn5ZLmRu1d"
    "zGkG6qSc7jClQvNly81+sju2mq3t5fyZ4Dxn73t2xf3dxNv/7y3Zfpz4rwYLO9dXt/91PS"
    "PiSMr6jqaHT1y+x6WuBf/a8xuZP2A5zc379tM7tFq9rpre7l+VWLsbbkzqI6Se7tEtkbos"
    "8iuFm0+B9kc332czjDf2f+bRLGcjjP/ZRSWCPWd5AC7b7HXqPG0sDh7Prn2a+/FShDz6En"
    "pLUFeZm2v4ivzb0AVTOXRxbYc7bQN8kfr28KNzF58+X6YTb98l+5BfIv09m1vDPJrY3J1e"
    "/eF6R42gn4283sM5Afwd/v766Li2jabvb3kXwnGHFiYbK2oJPlJLmcXMqNMkVPQn1xOoxy"
    "HmlGuc+j7EPGrYh1Guci1ox0n0fapkjy3mGc88gDjPJrWgBfwzBLh9jyMeOUkRcW0H5cQ+"
    "pYpTtkQuralm8Fk6B4BWK4UoMk2fxjvHVA3ktHzqjkl4wvj/d4JEnaqo0rEmGI+Rtw/YSo"
    "mIxiZAESTcEC+QSvGOAEoGfRh78BBKNKh6R+D8Yt2WuFvt4tiQLo+TregxQwQPfB5PKyjX"
    "Ps8rLeOybvGffMKfkNfYh1+E3ad+K3ZxpYnt7LNs6vy3rf12XJ9eUxi0UsROLbVUlpQnwE"
    "cY2YLkCL/l2BPdZ8Tq+c2L97f3+b04Oubgri+O6/v1xdf/3uezUCopHHa9wuRhs12ugxtd"
    "EH6Zwua6Px5X3aKEtbtdBGhbS1EeAu5IDDR8QAoQ6irErtrGv6DX/D83mAcGQJhZSJrudz"
    "sKJkzcDa4y5AUk0FtgvxaguHQLYWeBU+D6lni95sEvkOYC5Zj8F8Lr6E/Zjpr9TTN0yWQD"
    "QGQWS7wGPAR0uhE8/nLokoEwhxSai6gChHswzfb29ZzHaFksTefJafroizmc8/qv5JxMUL"
    "KZTiUHYB/TXciK8qBKVRpF+zIm3i+2cMU3CP+1pKdgowWnY7LZv50UqH4KT9APk9YpBZ0a"
    "TDcg41QK4v2lB9Uc/0RTlbBQVC0eB60iKDOR3J6Z8nYfrwxqMdUYqwvdFhOosZ4nRuM5vr"
    "J3NpLgsT7n8J1lz5dpgBMnyEaUwizKneLN5BhudlmrRRLupVi5L7ztWcwClgeNQefrWDjk"
    "MRq0jgqec3Axkew5etdLfLBt3tsqy7ecwKo4XvMbeLlzQHPaGXNDHRX62TVHAnU8q6cL7D"
    "GcLbE551wem5OYrI07k6vj+WWDlPOmbWa6k3BCWoGYNuY6CcvGXu//Ph/q6a+RRQjMZ4Ng"
    "f/B1qmxfZsWW2gUTKRkzjJ4pluc8jInk8VmxxkB1cF1h24sRiHlFuBhyNelZP8EEDfr53/"
    "lR2c7jcweff2uL+Ci8mH9+m8lx+aZvrDl+ntbYUbVahK8otbi7BMby2zBdTpOD0yo5Pv33"
    "1498PF+3cpremVJm4rFRXJkYdtP+oUSC+ijdKiobQQB1nJFNWS22XkiwR4Nx/gvy0jbEtm"
    "wSLyfO5h9kY+9t+P5RQ8tVxniD55NrJsYY+uNAVPJdaIn5LSmKdJLH+EauqONT0MhutTq/"
    "EFPoWg0dxjVdPBP+eOK5lqlidESO1OCWs1vZjcNZ3cNchci5IIO+Jdukibmg6MsOkmbEwu"
    "YSdBY3IJW+YSfhLjvSJ0MyqlE6Z3xnsyCpV70M62bpFZ6CIoBYQqnBPn0/2Jqby/qtzC5s"
    "Ym6a7Xsswk3fVoMM5eF8OQL6+YXUVH3lVEmMcrgyy1MzsLGYyyekgnqFjQvaeKWbvPLNvh"
    "jOOz2Q7rhUJ4/Sy+a1kbjC/vUwVR2mqvCvhAAhTvThZqMnLktmSIgeAjGINldu9HWSHUgx"
    "r1sNeLolEPezQYRj3sBfkrSqJQm/wsypBvdPO+6uZyZe7iWS4AB6Okn3h+y0gJEVgSVbiU"
    "98ZYMkgTV9GIqxiL9AAWaX8MpJ/kWjuqtpLie+M2ppK1StvuNZhU3yyuNK+Mne1ueYqA7R"
    "KGMEhMnB+BuC5+xoyD+VzIy/l8LK8EJL4An+UFuY996VF1aUkRstS2l/kcyA9lm+vkTzdm"
    "W6/XE2O29WgwjNnWC/KlWNTmPgMy1BujradGm1jH4yW6THJz4n4OOBgt9hDp+nLQulGaBQ"
    "6oOP4hSN3pkrqs5pFmpma3Ifs+WTOLohBBXpHq2ug0KION38D4Df4J/QY3QtEblTwG6uq4"
    "TYadl7TUCa1uS9Ux5PvsTVI4T5jZdwSrAnaYcKCEHnI+ituQi8FYyP11oo1LxJfaWury+0"
    "njX1n+NgzhwhNz1kMVpQBP/nTjKei1km48BT0aDOMp6AX5Sba0Nv8FoBkC4zHoqccg+2Yl"
    "mmfouW6jfx42hBpGezbE5QyF0qbc3JmSSfPiTt2CGzIQ6qcVUa2DIXKgIbBeqvrZsuxnY9"
    "3PUvGo15fMMDhBfr6yF32b8YfP+TaJIid3+CTEWcIsrjrbp3nTZxltDq7r277PYvFBEkY+"
    "rFo+9pUe3AHNL0yv8qDZy2J82K/Mh10qJKjBZtreqDk10S1LevjViTVdwlt5tBHGGrJh5/"
    "MvE19f3CuPMoW9mn0IHQp7mbIjg1U/exEMfZAr0id1VNeoFBPN3hzvP87MfrTsXeO90dF7"
    "jEBAnlCAsDr4S/UwBhA7YO1uyvHMFu1NBLLXviITgezRYJgIZC/IN7nKZ6P+CVIPYq7Nfh"
    "43IFPuxPw7yOdQw3pO2w9pzh/MfBbqPqty7dSHGneIAcbSD3+ClfIr6OsoGZQRFZ3zdJRd"
    "0ckMziGNGWzM4Coz+K/xkj4qmcDJjfEe8/cp065F1c3tATLZbbzq6GwY10uKrdoAbhYoTt"
    "6Vhq7Ku2VAGD0yR1c9kMenbse9KEkDfE+YyfIriJa4Yv/wiZ9tLPJeS1hjkfdoMIxF3gvy"
    "jUVucoHPb78c5/j5x0iH3m3zQWahtktC1Tl7fgGpTRyt+ZuBGJJbkUzUS2nFqDMQE6A+eI"
    "DaJF6ffdW0SRBCoflBbnUejfo+jNPqBVq8yQ4zhc9faUKYSRYdSsGDe5UQWXJt3id5ko2O"
    "zTSbsoVbc+sHHMeOREc5EhmGIXMJ5/IzV3UEAqJSeDwO1pCB0IeibYWj8qW9Gddjr9dJ43"
    "rs0WAY12MvyMdRsKjKfK/lfQcYEusHUxoXEfMwYsyS8d3qyHGNY6YIbAocv0KiG1iUgeDi"
    "zl75rUvs1bu1kvYDdMtetPFpXdS7tC5KHi3GIY8qHFoNbtkUMUCCJ20IntQTPCkR7CBfmH"
    "90Y+kzXQEdnp/28IyHcCN18g6El5Fmircg3I4oRdje6FCdxQyQ5Is2crpeTJekdLTghEO/"
    "i2+1jB2SsnbqpGGPqUqFVufhqOvBDMoLIhBRSGR9ab3wZwE2vKX1YtJGCk3qxdCkJIcQfZ"
    "LhGVuQuuoU6anrwUz/l2xkiNXEJeo0JNV4MyCdB0QWleq8PlSAzVB0z6ZjliTUw7YfOajK"
    "rbgneldEnzCGdx4HzAFjeNwLO/0CsjAz9zvPfSrUTEe8VpcxKGPNQHRfDzqvBWYdONAQhN"
    "BzOqWJ5XCDySo4tSRCSyFOUKcRKGPNKHQ0kyPGSdAhtl0ADig/7FwjoLvToAQcnrPiOIdM"
    "C5K0iE4BwyP48FvSoeNQxLQiLBnIEBluR3ETxyWSVT6cVZea0RAFL+CGR/fhA1mUkKAD1Q"
    "WYYXo/08x2kRP5Qq1bVimEe6pbF8GmuHXfyirk0spIVfZTw7ZKUpn0NIjfUasVYtJ0/MSk"
    "4vgJRiJqa3G8Qwww+H4ETSdyPIT1KM5iBkjy4dcEz0FBKH772N5Yj0grm6QCOkDpcQwLyf"
    "Y9mfEURVVOgQaDNA8zZLcie0GcjeVC5lb5XzCkm5p04CysGIDabKtfvy6ym1wp262/qWoj"
    "GL26uZt+/aX6NKyriq3CV7/MrqdFQ0qM0aPFySPSKlNXgA1Qkr9/12Kmv39XO9HlrSqq9S"
    "d6HtdxpveN7HNMdWHzyGpYZfbr6xRkMacvVHAe/o9SkuDsRxm8HlFvzizozVC8Oq9CFDod"
    "hzmPNMPcu2Huz7b1uqMpsjfHbbawax9NEbfP1rf8EwNyXwr6EaxdMhb/IDwGS0oC8SfkY8"
    "CJ+qP65IqXdWf2svc6wGz2svdoMM5esduQL68sE3Lb2vkpYIAW/uG3DcuFwnqCfqTlEs+j"
    "huc0PDzPQjPSZjmLMRzv51joYlUx6IbITgIYoKg4fOzMhH8zJUlb1iRtLEpa3n9tjqcwpv"
    "CxTeFb6RuuNoRvt27jFmZw4mFuc0qFOs8hY7F+3B7uICuxqaJs4k+KgJizTLXTKO522L6N"
    "edxro8CYxz0aDGMe94L8+vKqDwH0/Z7VWD0+/ReTD+9TwuWHJoofvkxvb83JHT2azuYsTX"
    "NySk+MvKMkjv0eiVnq8YqcyNqpnYUMSbIcrDqn+F4vOLGgCj0kms8hwKsVkvqcmRzIpMx0"
    "T5lBz+LhWulKO4TJFXsB8cY3euytMWm5vZeU6jMS/jBFsTqWwzL0H4Z+SZK1CDWUyAJqSP"
    "wfTI801X16MLkfEbNqDrxqrPBWQJ6wult65VWVd+tPPGoGfX8zqg5IxffGrSJSPG27NyT1"
    "mayBeKVNHDJiMi6EoO2CuFx4fFw5RcCFLD7FXAaNfMg4iGsDyMjRCj4hQCIOCAZr1xPg5K"
    "wH4MBNOVJ1/Ed+w9/wVOnrKh4GAs/31fns8QMhZmv5vzx/fT5XIms+j/NEXST4BjPxRCre"
    "0mO7h3MXciDfWhCKGYwPoPTFb0y8JSPq9jfM12QbWQsARk/iZddQvO6S0PgrEhlLO3V87f"
    "AnyZgwmwmznXNtNIfQ6C+SFYfQSLlWWxqmdg4XUEOaxgfTnzFa6wmGLcCUAewY+qUohOq9"
    "tFjPwQz3XQthQqciiNNc/3ILMZy/qDx+ZfHv/VXxK6t+G+41zgb3EdflPgcz3HfkHmIb+b"
    "4291mY4b499/1wjUR8QZ6vnxDmo7JvJHNzvM85otq284tMMUCyU+lhkH6CNdzI7aPyTxdi"
    "x0dU2P1r6nGORAOs/ARZz4ByF9gwYsgRoMqzmA/Zv/R4zOdOhCzI53PpuJCbXwEEjsdCyG"
    "0XURDIR8BHJNr/KI96JuJHMQaEJk19BGViMBV/hrJjAJccyU9L6PkRRQBhh70B83n8gs58"
    "/g3HGcby5ZK3jt/MlQ4aB0Gfg7XHXfHIjwLoELx7QYb49sm+r9qbvOO+i4OxcYj0aTDOfs"
    "R036LvJk/w5JQXN4O12wvWtBWslO0gJE6Z3/o0nqS9SeJ5QRIPsdVhpl323xWgZgNe7zbg"
    "5X5dSmXUHeMdygxvr4cXCvshCHlFHmStVpCFDMZWPphnf2v7lPmcUgprSkBmMAVCh7caza"
    "5/nv36W1WgCVFalU00Q89NgaYUNYT00D28Na/iuaqZSfPi0l5QnWJ7W1u672DmFIK+Sfde"
    "uORmkD3OIopHJX9ceme8xxnHRUOLJy33+uP+FvuoQkQ9IlR5IOFxYg6FWOblrGXqzkdZ+E"
    "3l3QTkSTmmPCazb+T3BTTCrNIXd+C+X+DCOq8teV4v1rEsyXqXlVpgxMh1EJEFqNGCjZzM"
    "ysk//h8lFbRF"
)
