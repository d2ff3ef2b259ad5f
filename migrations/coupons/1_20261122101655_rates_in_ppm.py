"""Rates keep four decimals of a percent: parts per million instead of basis points."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Convert the percentages exactly."""
    return """
        ALTER TABLE coupons_coupon DROP CONSTRAINT coupons_coupon_value_bp_check;
        ALTER TABLE coupons_coupon RENAME COLUMN value_bp TO value_ppm;
        ALTER TABLE coupons_coupon ALTER COLUMN value_ppm TYPE int USING value_ppm * 100;
        ALTER TABLE coupons_coupon
            ADD CONSTRAINT coupons_coupon_value_ppm_check CHECK (value_ppm BETWEEN 1 AND 1000000);
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Round the percentages to two decimals."""
    return """
        -- What was below a hundredth of a percent keeps the least that can be said.
        ALTER TABLE coupons_coupon DROP CONSTRAINT coupons_coupon_value_ppm_check;
        ALTER TABLE coupons_coupon RENAME COLUMN value_ppm TO value_bp;
        ALTER TABLE coupons_coupon ALTER COLUMN value_bp TYPE int USING
            CASE WHEN value_bp IS NOT NULL THEN greatest(1, round(value_bp / 100.0)) END;
        ALTER TABLE coupons_coupon
            ADD CONSTRAINT coupons_coupon_value_bp_check CHECK (value_bp BETWEEN 1 AND 10000);
    """


MODELS_STATE = (
    "eJztWm1v2zYQ/iuEgWEp4BmOnBdv++Rk3hpgSYbW3YY2hUxLtExYIlWSimsU+e87Upb1Zr"
    "uxmnm2py+JdbyHIp+HOpGn+9JweBRyJlvX5n/jJ/SlwXBA4EexqYkaOAwzDdqi8MjPOttO"
    "6jySSmBHQesY+5KAySXSETRU1Nyp0UMOdwlSE6yQwlMikeQBURPKPMTHY2ggiAuXCAmXiD"
    "OCpOKCtHTvLnege/D8lo4e2AMbDh+xHxE7DIPhEFGAEoXGXCCMQiIcwhT2CDo5tc7b7bZu"
    "P7Va5+i7V02UIAPKuACsATGEAx4x1UI9hkgQqjn4BTA6CR4BwUw+MOz7P6MZVRM04vBnOK"
    "SKBDZ1tQtmLhgcrIjHxXxhjPuhCoEAPoXpKY7IIxFzM8UWACJJXM09U7oPQcyUwQh3M6xI"
    "BR03wcol0Rw4mDnE94mb8MK40iMHwgAZwOiRS3yiwCFWVPcwl2aOGTZN3/reMDgjS8ToJ6"
    "BEcQ/oJwLE+fARzJS55DORyWU4tceU+G5uuVFXd2DstpqHxnZFvRumfjW+WvQRzNGPApb6"
    "h8ABZ0sAZUpbPcKIAA71HZSI9Npjke8vFmuyHOPBpi7xKDMYl4xx5OsVrNHxAFJbw7bv7g"
    "f22/7Athul1Z0gMut0YXLgOYEnA4YqDQGeHsIPP1pWp3NptTsX3fOzy8vzbrsLvma85abL"
    "p3gwKVtxV4azm99u7gZ6QBwev/jp1IYng8EKxygjRso+nwFj9rYaZFFfVyLhfZMUiSHVIg"
    "0eRyZGSr6JRluTn0XV5FcmX786ysRfT7BYTXviX6AcJnKIlAf4s+0T5qkJXHasDWz+2Xtz"
    "/br35qRjvcpTerdosUxTnlzDzhbkJv5HSO5p+xnknrbXkqub8uQuNy5lhtcGjRymUtRYvB"
    "v3huQ4aFinZ5dn3c7F2TJWLC2bQkQ5HGT2dNuF4wLwiLjdcUAGCm0ZjRRX2K8ixGp8rUdl"
    "PSCKuVSa00UlPVbiaz2q7xaxUNLGqizDL0CdogFZt2HMAAv8uwtkK/lxeGpsIHZwc9t/O+"
    "jd/qG7D6T85Bu2eoO+brGMdV6wnlwUXsXLTtBfN4PXSF+i9/d3fcMml8oT5o6p3+B9Q48J"
    "R4rbjM9s7GY5ScyJKacxYW4VhTOwWt991jeS2CO2TwO6QuO1kbSAOqIQ+mLbt5AI24ngaB"
    "zAj235XQ2uaS7TPKZCKttkAW3O/PmKHQHnPsFsNdGr4AWaR4D/t858S8tuo9TV/f3vuQB1"
    "dVN42d+9u73qwynQRCZwomrdnkxnlMuk94TA8zW7sARR4Nmn8hBzRZteBv2/Bx8+FghLUu"
    "xbcZYFHT1t8eazRFz2U8RW5BWB/1cCKezIHEUfV+TBNsbIHG6HwTH59nGwsTH9FrbV1ioL"
    "2l06vX0gL3xHED3zCmeSPPIFjiUHFBIO71wSuhVlziNrmfda5sW3/Qoy55F1kmHfVNblFe"
    "Np5hO/NoywM51h4dqlFm7xdb7lpsAKihbMsGdE0mw+NdOioXeSNFYVE2l781mVRNHC86tl"
    "RPdsUY/yvdS1KLq8BS+qVppoNIcLLyJSodmE6/qdKdDFtD056SPqGr9woiuDToZD88Oekv"
    "lw+KoZ1+hwgRihuqSlXH204/vHRUuCqEgw8yCmZUuzCfVJWp+jzctCn7o8Z/9z/HV5zh6J"
    "UYxdW7Ofg9X0V6Y/ThNuvfYzqJr86ms/SYdvvfrzwCNKou9YgeVuoMz/+jqqHKhSMdW+cZ"
    "+rpeo+o5Squ7aSqlsspPqW6oYXqmyoo00jycJVyD3IOvGwv0fSrMCZY8u2Ihegdeph33T+"
    "T1MPT/8AZvnIKQ=="
)
