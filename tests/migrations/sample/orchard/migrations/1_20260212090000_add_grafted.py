from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    return """
        ALTER TABLE "orchard_tree" ADD "is_grafted" BOOL NOT NULL DEFAULT false;"""


async def downgrade(db: BaseDBAsyncClient) -> str:
    return """
        ALTER TABLE "orchard_tree" DROP COLUMN "is_grafted";"""


MODELS_STATE = (
    "eJztmG1v2jAQx78KyqtO6ioaKLC9o0BX1BUqmm1Sp8kyiQkWiZ06ziiq+O6znYQ4D7AiTa"
    "xUfUf+dxeff3fYpzwblNlzyJyzO2wvMHGNz7Vng0AfiR8l22nNgEGgWaTC4dTTvUGgeU9D"
    "zqDNhXkGvRAJyUGhzXDAMSVCJZHnSZHawjFePpEigh8jBDh1EZ8jJgw/fwkZEwc9oTB9DB"
    "ZghpHn5NLGKi+lA74KlHaJ3SHhV8pXLjgFNvUin2T+wYrPKdkEYMKl6iKCGORIrsBZJHcg"
    "E0z2nG4qTjZzibPUYhw0g5HHtR1PQaYZAIzGFrgfWAAYezCyKZF8RaqhAuDKFD5+Ms1Go2"
    "3WG63ORbPdvujUO8JX5Vs2tddxMhmt+FWK2fDLcGTJhKgoYlxkKaxVDOQwjlLF0JpmKYiB"
    "fWugR/29Ein3XaVIhawWWQu+sWJk8JcIu3MO3DL8reT1kLdE3jxvtpudRqu5Ab5RdnEuM+"
    "UMob37WQt6S1AP0M7yWJ8tKo8WCbVchivKRAuTG7RSpRiKvCGxUQX69D6zkvccWQ3WaZOl"
    "qpYAg8vNTag3n9i9gzzE1f573ftetz8wFOMptBdLeV/nYEsLNWlB2fiWTb7pFxVIoKvoyG"
    "2sTwvcqwaMtCAvmC7SHngfLd5Hi/fR4oCjxW/IMOKrMvue+F9Wk9dCCuDFdo4RvA+fgIeI"
    "y+fisVXfwfR7d9K77k5OWvUPebCjxGIqUx4xDoHL4EzyKHc4pR6CZMsxkwsssJ6KyEPC3v"
    "c4rr7lKht1PP4qd+KH4aMXd26hbUffbi8Hk5NzBV04Yb6lmxldhiDwIKmEvfUsKYb93/Pk"
    "/PUMyQkTAHmZZl+g4NhH1UjzkQWgThJ6lv54Ad7kXnwth8YOjNbwdnBvdW/vck3d71oDaT"
    "GVuiqoJ63CgbJ5Se3H0Lquycfaw3g0UDRpyF2mVsz8rAdD5gQjTgGhSwAdnUkqp1J5Ht8+"
    "PJYGu/RbUFhxniVvuLqZIA8qqNsHdu0D1JFdGVUzu2zQ9b8ftNd/AE8qRg8="
)
