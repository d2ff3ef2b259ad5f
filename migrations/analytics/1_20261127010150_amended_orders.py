"""Counted orders with as many amendments as they had then."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Add the number of amendments."""
    return """
        ALTER TABLE analytics_order ADD COLUMN amendments int NOT NULL DEFAULT 0;
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Drop the number of amendments."""
    return """
        ALTER TABLE analytics_order DROP COLUMN amendments;
    """


MODELS_STATE = (
    "eJztW1tv2zYU/iuEX5YBXuD60mTrU5pka4A2ARJve1gGmZaOLSISqYpUXK/Ifx9J2braii"
    "Qkrh0QSBDrkB9Jf4eXwy9H3zuYYm8piM2Pz1lEBTg3oQNh5zf0vUOxD/LDtipdWRIEuQrK"
    "JvDUy8MsltSfchFiW8jiGfY4SJMD3A5JIAijCvS3iwXCFGkIcjFHUwCK7LhjhHkXLYhw5Q"
    "fkY7pEk4kcJHXkr+CTiTITIWEOEi7QY9Wnw2zZKaHzl2/+nt7TyeQBAmH5hLJQ1iAcLVQf"
    "C1k1wMRBHvCMKYRZRB1wurJl28XhHHgClU2ilU2OihPJjLZxCB+JvS6To3fuqbI74JFHCJ"
    "doBqC/aUTJ1wgsweYgy5UP//lXmons8Bvw9WPwYM0IeE7OxcRRDWi7JZaBtn0k8ysqftd1"
    "FY9Ty2Ze5Gs3af6sGBUshctoAiNUKOscKIRYkprxNY08bzU71qZ4zNIgwgiSwTqpwYEZjj"
    "w1YxQ6Hkdq61jW9c3YurscW1anNJvWiMwMWJlsRtVMlGPlmoe5GsIvv/b7g8FJvzd4fzoa"
    "npyMTnunsq4eb7no5CkeTEpa3JSm7uqPq+uxGhCT0z1eDsrwpDFY4BilfZI6gS1oQmoDV2"
    "RQL+OKtSH1RbpY35gzUvK5YCE0Jj+LMuS3Jt/ByzLvF5K1zayvqhcIl+sKBPHhWH04QOor"
    "WLw4G18WKNPfusTZuTwjNnO2rl8gTQ7gAKnq+Pib5QGdC1c+DnoV1P11dnv+6ez2aND7OT"
    "8Lr1clfV1U3AywiHgTelPEGyS4X4fg/naC+yWCCbdUdLRhs2XMA0w3k5xBFVieStgB0ly1"
    "cd7cfFYt+5x/9eKdtLCNXv/55ePl7dE7TbusRMSW3TUNYct8bz3Z8qDdnW291z3Y+u+GJ8"
    "PTwfthcp4llqpjrEyqYAJ7cezeLGQoAE3U0DpqSC9ezTyQxxkHtI+Z45upFd9M27hiWwtv"
    "Zr/ZdSC90gSsGbTyx2a88UY7b+QUnmaOKEGND+r7QMlcs4eMxqIMU2w/LHDoWKUS1mfb6p"
    "aL/L5ftGCK55pL9b3VgFPB9AITb3klwB+rU7+zWVUtVOrW1lVlxOdbq8vw89Lq2AX0NcJU"
    "ELFEbKZkUNVArIWCgxiVP4Bke7EIyiKBbExt8DxVqmrxD2gyUV8gVjqJ4Eg9ISy0Uqlv3y"
    "XNdYf97lABrav5rGRMI30a6XO/nGGkz70g30ifjaVPfew13q9TkJmtrWer/lvifbssuq7/"
    "FkXR0aiOKjoabZdFVVme33Wc1GxuZ1Fmch/yVeHZa0LTK0Kj24GWJrmK0VVUHUfe6kmF54"
    "pQlXuA4v90oMDDdi5416E90lHBT1wG8HKhODjcfB14rY5M/L/HS83E/3vlDBP/7wX5Jv43"
    "qQ/tg1CT+nBwqQ9xtNPwoEswZqdtvdOq1BGrDfsFoHFBaxdUJk1cgE187LXJmnBi6PGqiQ"
    "P0R9UJeHl+9eXs89Gw1+0Vcn3WG9CwtMtU5UZUEl2ZHGF4Lh2XtVIgKhmvmQOxI+5f67+/"
    "L018nUyHStprpToY0pskNFTy/VxGg6F6j8TIO3W5vxNYj3KTGJmp0K0tRmrJoJ4c+YktZF"
    "GYEfpWKqGLHyH30lZXi4WEooVLbFfnAqD/GN2QiPACbao3vm5iUBQgwbR+SRz1NleMtART"
    "74mFkDalXyhjYZLbgCmCR6DiA2LUBgklXC4TP/BAwGQiu/Y81cCuBc2X13OMrml0zR9625"
    "DLVq3aRlpRBvMG5YxRHTljtF3OGJVDgmTfazbH8ziT3dhuimeOjg30P/MuTRa5w/dpEstB"
    "vVDzQ2Ozp/8Bbawqtw=="
)
