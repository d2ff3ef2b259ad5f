"""Indexes of due and undeliverable messages."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Create the index by which owners take turns, and the one that counts undeliverable messages."""
    return """
        DROP INDEX notifications_message_due;
        -- What senders look for: per channel and owner, since one owner's backlog must not stand before another's.
        CREATE INDEX notifications_message_due ON notifications_message (channel, owner_id, next_attempt_at, id)
            WHERE next_attempt_at IS NOT NULL;
        CREATE INDEX notifications_message_undeliverable ON notifications_message (channel)
            WHERE status = 'undeliverable';
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Restore the index by due time alone."""
    return """
        DROP INDEX notifications_message_undeliverable;
        DROP INDEX notifications_message_due;
        CREATE INDEX notifications_message_due ON notifications_message (channel, next_attempt_at, id)
            WHERE next_attempt_at IS NOT NULL;
    """


MODELS_STATE = (
    "eJztW9ty2zYQ/RWMXprOqB5bviXNk5y6jTu21YnVphd3KIiEJNQkwBCgFU+bf+8uSJo3kR"
    "Fdy6FVPmRigbu4nAUX2LPLv3tCaj7jNtVcCrVzwZSiczbUmnm+7n1L/u4J6jH4o16wT3rU"
    "90ti2K7p1C13YNGM5lTpgNo43Iy6ikGTw5QdcB9FUXUkGIkViJZEMeEQSrxoDq/JZMKCQA"
    "aTCeGKiNB1CZ8RvWAEuhXKl4Em1LaZr5lDuN7BMR1pw6BczDfTfSj4h5BZWs4ZCAYwyB9/"
    "QjMXDvvIVPLTv7FmnLlODmfuYAem3dJ3vmk74fMzob83sjj5qWVLN/REKu/f6YUU9wpcGG"
    "TnTLCAwrygTQchIovzjy2SgB1NNhWJZpnRcdiMhi7aB7WjCaRtPcu6HI2tq9OxZfVKtks0"
    "MnjHTTZsA0AQpqoMAHOcwjevBoP9/ePB7v7Ry8OD4+PDl7svQdbMt/zo+FM0mRStqCuD2d"
    "kPZ5djnJCEzRVtQWz4ZHSoppGWMUaKvlwCYlZTG2S1Pm+JBPc6UyQNqS3SV2PLjJGCH79x"
    "jeHP63UGeLABROhNwVuVwL/yqOtWwp9qbRP0+4Pjo3uw8UcdvFcXw/PzMp73B0QZ0jcLGq"
    "yGM6dUQBTmuQaisdtuDaAe/Wi5TMz1An7u7e7WAPnL8N2bt8N3L0Dq6/xuvYwfDaJneaDN"
    "Ad0E5HuF7QP4cC2AD2sAPiwD7ISBubhZnirDXOkZClrb5B4GewfHBy/3jw7ufcR9S52jKP"
    "uI+OLJHLgSl6H9DoDR3GOr8S3qFgB2YuWd5I9nCHcNluOzi9Or8fDiJ+zeU+qDaxAbjk/x"
    "ycC03hVaXxwVdv19J+T92fgtwZ/k99HlqYFTKj0PzIip3Pj3Hs6JhlpaQi4t6mQxSZqTpk"
    "94z5/dZO6a2DCl9s2SBo5VeiIHskq2/MgbeMUWKuAi5MRo4jzzYdsocFgQx24RkKvDu7xc"
    "v3F0J1Hf8rIdfDbIe7/g9iKJuhQEYErLgJloTJF5yJSGxqkMNcZePCBmDNUnFKK16R1ZGn"
    "V7QYVgLjRzEUkQOSN+wGYsYMJm5eDv6YZ9wqDQrOFR78NdbNjFhi2IDVfcPoZBQO9qA8NV"
    "lw+Xq+cIft1xePrr+I8/C7AljqkRbFml/w9s7TqpfwrV4jt2y21Wc0xnhJqf0U6q+NmzeU"
    "giaTgDqSYBsxm/hcPSh/HTo3MmA0OL+nA+SkFcOZ8jIwoHoiBcw4lJbOq6LPhKkRuOFCv8"
    "U+H0L2av4GQ3PuK1uBaTiZY3TETMLoeD3vwks0B6Ub84mmIBTqRPos2MgxHj1PH4R6Wrt8"
    "NvBodHOyTuDpx91CN2gcywSjrm+losqYLlzOE9gquBQ5ZcL14byXi9OBMBxoDlwjISADgq"
    "3UInDlwvCPvoc1DuqOb2n2DddaJFxkjBR3fQhC9K5B9EF7UO8hxfNFiHLhpUs0WDElkUu9"
    "jGezuv1+3uB+/u5BhqBn9WqwP/weD7LtVwMfGauJeszha6mL31KP8axr/oYsxebZRVSRS2"
    "EN6D3VdHawCMYpUQRw9XuZEFVYtVjkTQoCJ+zOsVAJ/e6Sggf2aQ1/mF89FJjoMGVE/OLo"
    "fvfntxMfz16xwRfT66/CGRz/LLJ7+NT4fF1IDvW7cQ2uBMG2z1gto2ZrjWSnDV5LeKO92V"
    "ECiyJiCnGtuH7/7hGvjuH1bii48KNFTA6MNSXHnNLsHVugRX1swpr/EAS5eUO2O3ztjt4k"
    "ivMMvlxGnKXjVNmpfrN2ZKvYzmWrWqsQIWk0qsLXUcwF2tLjytkI3oyai0KmITKQmocKRH"
    "/HDqcptwp294QwVrNkwoo/YiqWNFMtIPA7A5i7SXyCKieDIeN/Rpn6gQtRSOZodKSw9uDj"
    "u2dEAPS1+RgrRu2B304jAn9F1EhamUg0UCE+fGfOOoiU1DxXbIGOtj2UeNeVBKFAM/rrNj"
    "w1urmHMtDMXJNUFaVDGhkd6c81smSOjjIgT0kRQLw//RYhT0tVxw12jCb58JByBFeZdhv1"
    "YoNHdTFhYreqUp2r0WmNk1lLARfU0S5jRayWQSD6YmkwjfyAbEow5gLcHsABoO68BsYZMg"
    "BAuAGRBQ4CuILWFsFQEQr/daYOGw1NEC6QycHBYVGxJXmUUZ7jip+0qn7VKlza4ASJ1CIf"
    "JycZfKJNXLMwqgODtkeC2yTDmBu7ihqiOOGdYOuyMOOXGZyItPJshUQt8JqQ4vSUcwt594"
    "6AjmFhkjw4FmKjCesG6jbXFFq8qYq6O5yhLm7aCH1iKHaqihYjgX3ywaMZypyhZCvJGi5u"
    "Tq1QTmrM72ERODtWAe1MA8KMMcV7s0QTmjspWb+bHZ+jioaURipipbCPGmGPs4g9oE6IxK"
    "5zDWchgY1pYRHkNrRToklt8GeD9TSJfjrhIQVydBEvEM6G8wL5LHeqG9FZ65GutEvsO6Od"
    "ZfJHHdMsw3fRJisF7G98er0WXFF1SxfJEL57Ym/5A1q3FbhnENpghE/b4ubuF+ntjGDor7"
    "misr4h9XxOJSuoyKCjYqq1fMYoPipm4h9y1PnMUejc5z2J+cFZ3Gzxcnp7DhjSFAiOtK8o"
    "PqsNF1L9V4utteL6aNe0/jS9ZJqu5VJ1X3SknVhKgu41z/vXZW7+kYvt1Nodx9rv3smI3u"
    "c+0Nf65dyJqVoa5Pxa9Qf4RkfMvM8Nxz8bn6pUzWs6mxi7qdpdts6TRr3NTOec3Oym22cl"
    "cv978w84wLrhYPsnNBtXud22bndpXKjeEq54LtR7dwleYO61VXy5VE+40L5nTchVFd4+Ni"
    "U/bwlcLPaqOisaQGKekIC8FgslirhI+wJCrOwZnaJZeKeQjrX/UZ8aP23dVCtboEpKuFap"
    "ExvngtVAe+8czUa1Sok8hvYdZ9I1xWVz6y8aRZcgQ3wTirs40gP3o2oSsd+WKlIzXJhf9S"
    "OtLuHQzorAlwLcIliEPfeSB1ktfsqJMupM6G1J/+BU5zDJE="
)
