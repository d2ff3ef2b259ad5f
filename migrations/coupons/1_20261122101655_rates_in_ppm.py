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
    "eJztWmtz4jYU/SsaZjpNZihDIA/afiIp7TLTJDtZ+pjd7BhhC9BgS15JDsvs5L/3Ssb4BW"
    "zsTSlQf0nw1T2yfI58JV3fLzWbBz5nsnFj/td+Ql9qDHsEfmSb6qiGfT/RoC0Kj9yks2XH"
    "ziOpBLYVtI6xKwmYHCJtQX1FzZ1qXWRzhyA1xQopPCMSSe4RNaVsgvh4DA0EceEQIeEScU"
    "aQVFyQhu7d4TZ0D57f0tEje2TD4RN2A2L5vjccIgpQotCYC4SRT4RNmMITgk7OWhfNZlO3"
    "n7UaF+i70zqKkB5lXADWgBjCHg+YaqAuQ8Tz1QL8PBidBA+PYCYfGXbdn9GcqikacfgzHF"
    "JFPIs62gUzBww2VmTCxWJpDPuhCoEALoXHUxyRJyIW5hEbAAgkcTT3TOk+BDGPDEa4m2FF"
    "Kui4DlYuiebAxswmrkuciBfGlR45EAZID0aPHOISBQ6horqHhTTPmGDT9K3vDYMzsgSMfg"
    "JKFJ8A/USAOB8+gpkyh3wmMrr0Z9aYEtdJTTfq6A6M3VIL39iu6aTP1K/GV4s+gmd0A4/F"
    "/j5wwNkKQJnS1glhRACH+g5KBHruscB1l5M1mo7hYGOXcJQJjEPGOHD1DNbocACxrWZZd/"
    "cD611vYFm13OyOEIl5ujTZ8J7AmwFDlYaAiR7CDz+2Wu32VavZvuxcnF9dXXSaHfA14803"
    "XT2Hg4nZCrsynPV/698N9IA4vH7h26kNzwaDFQ5RRoyYfT4HxqyiGiRRX1ci4n2bFJEh1i"
    "IOHkcmRky+iUaFyU+iKvJLk6+XjjzxN1Ms1tMe+Wcohwc5RMo9/NlyCZuoKVy2W1vY/LP7"
    "cPOm+3DSbp2mKb1btrRMU5pcw04BciP/IyT3rPkCcs+aG8nVTWlyVxuXPMMbg0YKUypqLN"
    "fGvSE5DBqts/Or80778nwVK1aWbSEiHw4Se7pi4TgDPCJudxyQgUJLBiPFFXbLCLEeX+lR"
    "Wg+IYg6V5nRRSo+1+EqP8rtFLJS0sMrL8AtQp6hHNm0YE8AM/84S2Yh+HJ4aW4gd9G977w"
    "bd27e6e0/KT65hqzvo6ZaWsS4y1pPLzFK86gT91R+8QfoSvb+/6xk2uVQTYe4Y+w3e1/SY"
    "cKC4xfjcwk6Sk8gcmVIaE+aUUTgBq/TdZ30DiSfEcqlH12i8MZJmUEcUQl9t++YTYdkBHI"
    "09+FGU3/XgiuY8zWMqpLJMFtDizF2s2RFw7hLM1hO9Dp6heQT4f+vMt7LsNkpd39//ngpQ"
    "1/3MYn/3x+11D06BJjKBE1Wb9mQ6o5wnvSsEXmzYhUWIDM8ulYeYK9q2GPT+Hnz4mCEsSr"
    "EX4iwJOnraws1njrjkp4hC5GWB/1cCKezIbEWf1uTBtsbIFG6HwTH69nGwsTH+FlZoa5UE"
    "7S6d3jyQBd8WRD95iTNJGvkKx5IDCgmHdy7xnZIyp5GVzHst8/LbfgmZ08gqybBvKuvyiv"
    "Es8YlfG0bYns2xcKxcC2/xTb75Jq/lZS2Y4YkRSbP5XI+Lhh6Io6tW6IaaokRz/UV1RbA+"
    "G8+vFhXds2V1yvdSV6boYhe8rGGpo9ECLiYBkQrNp1xX88yAPKbt0bkfUcf4+VNdJ3QyHJ"
    "of1owshsPTelixwwVihOoCl3wt0o7vH5YwCaICwcxrGRcxzafUJXG1jjavyn6qYp39z/hX"
    "xTp7JEY2hBVmPwWr6C9Nf5g0LDz3E6iK/PJzP0qOF579aeARpdR3rMBqN5Dnf3NVVQpUqr"
    "Rq37hPVVZ1XlBY1dlYV9XJllV9S63DK9U5VNGmFuXkSmQiZJWG2N8DalLgxLGlqMgZaJWI"
    "2Ded/9NExPM/qJfN/Q=="
)
