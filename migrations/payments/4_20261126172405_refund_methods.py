"""Refunds of gift cards that cannot be credited, to another method."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = True


async def upgrade(db: BaseDBAsyncClient) -> str:
    """Add the method of a part of a refund; null is that of its payment."""
    return """
        ALTER TABLE payments_refund_part ADD COLUMN method varchar(30);
    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Drop the method."""
    return """
        ALTER TABLE payments_refund_part DROP COLUMN method;
    """


MODELS_STATE = (
    "eJztXW1v2zgS/iuEv7QL+II0L01u75OTzXUDNEmR9d3e7vUg0xJtE5FJV6KbGov+9+NQki"
    "3JLxGVOqaV+WaT81DUMxTFGc5Qf7UmdDZmQsUHlxELuOr4vpwK1fqZ/NUSdMz0j3UibdKi"
    "k0leAIoU7YcFlOcblEdzsH6sIurDVQY0jJkuCljsR3yiuBQA7o4YiZWMGEnQRA6IFPrfVJ"
    "eOWXQAzQTS1+1wMayMmAr+Zco8JYdMjVikcf/9ny7mImDfWJz9nTx4A87CoEACD6ABU+6p"
    "2cSUXfDhtVD/NLLQn77ny3A6Fgv5yUyNpJgDeHL/QyZYRBWDK6hoCvcvpmGYMpdRknR2IZ"
    "L0MocJ2IBOQ2AR0EkHFmUtz7u963q/XXU9r7XEcIbIUZgW+VKAdjjoEwgYQhf+9vejo+Pj"
    "s6PD4/fnpydnZ6fnh+da1vR3uerse9KZBVtJU4az6w/Xt13okNRDIBkqUPDdYKiiCcooY8"
    "G+fNSMebY6yKOe1kTG+yZVZAULXSwGcMOUsSDfPFbW5OdRSH5t8rP5y5r/EhBV8AwVRBET"
    "/myZ/8sRjdaxv8CUqNc3tI/Uj+k3L2RiqEb67/EGUv/dub/8tXP/9vinIrG3acUR1BQZ7t"
    "OQCp95Yy5kZDfMl6AvN9APmzXKIwb8eFQtK+AXXaP4mK0Z6wVkif8ghR5kP/Zw7G/gtnt9"
    "c/Vbt3PzCZofx/GX0PDV6V5BzZEpnZVK374vPRnzRsjv191fCfwlf97dXhk6ZayGkbniQq"
    "77Zwv6RKdKekI+ejTIc5IVZ0XfYVE7eMgtrKCgT/2HRxoF3lKNPJLrZJerxkfjcgkVdGiU"
    "BGxCP0sGxJVQ0ay1wcJIBCztCzYHPWld3IFdMKJiyMBKoHMb4U1cMCGWjQwbINoaTk98aG"
    "s4pIwF+Q/6bm3WWZl8A9dY7w4rLLLeHa5dZUFVkVw6Bg9MnVVWGYkjvPYI38+1buPUIKOg"
    "ziyfQ9UiP32dvm7uhVTMZpLP5GtN8q4xXpjjTw+rTPJaau0sb+pK07yvVs0s6/mdAxr4Fj"
    "2tRvAGfsv08oCNJ3pECn/mPTArr9AKaPPG9NHpaQXKtdRazk1d6a0pg5k3ovFo1XwtaDRb"
    "88bMw0pU92eKxftH9qbZ9+PdRcEPoRm9uL7t3P/x9qbzn58KzoiPd7cfMvm8j+Hij+5VB1"
    "1Dr8U1VHxvmB1a60VREYdrUqt1kTO+uV8i/pVFl3quNO63GxmwsLXSSbdSsl3RWxcYsOdr"
    "dH2XnRrpf7oF/YMqQknSKBlJfatPee2exKLjzuHHpY2OO5eUkVsjwANtvUe9ACH16DNFn6"
    "n7dKPP9PWqAX2mu+M+XUBbs1/EIf91+Y/YYCoCa/oLMGS/Lvvo0t6qSxsdfGup33cHn4P+"
    "pUqupdpepWr+pG7mBUrTRJLwrZJLiMZEj/SQ+Xq0EioCIqTSpXogBoSLNnnkamT8SQngTU"
    "xCGivyoPkXBO5tdZrKC10X/VhOv9zQj+WQMjDZxQny02nclv0CDOl/Lv3mr8VauwRr4Ip7"
    "KyENmFaEaUWYVoSmJZqWzzUtP/CButTtbEgsKoq0K5qVQ43SRqXu4TOyi6ARAo1oOy2dVp"
    "7OLFoHQqPO6XkPjTqHlIE75LhD/lpG+H4udRunBtwh3x33mFWEWUX7uwWLWUWYVeSmLwKz"
    "ilzSxl54hoqB4ZF92FQOhKvR/cwnyjxuG6I9iiJtW6dcNXdcZ+FLKwRdtEk80e2R/oxQMY"
    "NiE1bBFQRfBOyA3IlQV0E0xmieN6QrCE8P+wmWvXhbvhY6/xx+8Nro/HNJGRjR4QT5Oz2+"
    "1LE19o40oN8jNWycAqymjePaI7ALIwdohOjMExuLvohqoP/kpIItf7LWkj8p2/Gxomoa2z"
    "C8QDSQ3R+/x4OxStuOVeKCK07DOhs4S1Bcr7yyfbRmhYzhRs5WN3LYtwnXK5Yaftci8gf4"
    "XR0jv0luV9xPwv0kNx+lbZlaPI6ntbaTCkDcTXJuWnNmS+NT8mPDjkZBol1xQyP9UW07Aw"
    "KF9dQcsMgECgtigodWBxSvkPssPoteLx941+sRc3xfTJQEkmKz+2Ck30CZonpI9XqKTxby"
    "+raJFLpyAlWRhgf6svN6HpNHyGiFRNfPIqsmWs0s0CC4wFhfQf+UD7p3gwNo3/RVP4a5Ro"
    "pHtT3SOEuClV9ZlKTByqn6LEBO969tcmV7vSSOet6QacUUwXWSAxly14Fs2z5jgmQ12QZM"
    "QlIbOqr7Qvv6UtD5PktJHOoZ4JHOPI1jYOiyRacnkfzKEwL5vD1/xPwH3Ug76WKku5iHzq"
    "Wg5h9GRsvrWSkjlOmrUjJhCZnpoIEqI6j7Ldg3Bbc4T4dbdCjNLH4cyVxmcZKHLIgeq1A7"
    "wz0m960k3GNySBm4x+QE+TsKukXyoWSsXxPSKrligWiiV7iKw+Z4vb/meMldg3sbmL/S/G"
    "lkbl7YaaAAQ397zaPtCvabnQKWsaiFmk9AwQC2fAyWsBgvUzteJuc9sNNCGYlPwnOO2qz3"
    "JCxjUQu1tZD4pmyWngUQbhpVOwdoFwkSrtG8o1Nld/bBG+Rflyx50G2mmpVgnHKqTTml7Q"
    "cb3ldhkfZKtMPHwSPmK28ahXZv1SKugXQfnpxX4VuLrSfcVJYZV9NI2POdRzWQ7W0Mbg4X"
    "nPrQMytvZRnXQLoPK4XxgdiGwb0cyDegPJxGVpN3DtI8njFaEsOK2jWT1NNYC1sd53GoYZ"
    "c1vLOjpR3TKX6/xYH3FB4e1IAFLwZ74+FBLk42TXprD7jg8aiWnktQXJ25pmdnwvrvzZ7h"
    "Ry5Ya2VQf66+XTGkP/3sX5hhKn2Pah6A/mVKheJqlo/cJ9BWEuH+ODKh2YSb6G+tBSUh/n"
    "v1x6Z+RKMYE+70Mhtjwh1ShgNfDEX6oQSmNmvycyCkvjb12atmmfu1xOchTWL+6N3J2cn5"
    "8fuTOeHzkk08r/CgYJTy7gc2h5VdujJaoQQpQ0bFuiTjIrRs+WvsHqphE6N3dx8L5sfFdY"
    "nf23/dXFzdv31n7A4txFWOdsesgw05v3kBO/ugmmnQSdfw+YU75IeWknjTTM+I6YERmw/H"
    "mnoSsjhNSqURJPlCKi1sA64+v3Sbl0IzwulpDs0Ih5SBqaVOkI+ppTsd+Zj5iJmPTR/lEa"
    "Ox7qfFKF8gGjjK8dtFGH6A4QcYfoDhBxh+sPPwA1+OJyGrqegSFgMQXNO0Yy7GTzRSrQ0e"
    "RlPftgtAmGSYSgEIIJ18fjx1AxoP3lAy+Aa5/wCn38G3i9KLtJMj/AgV0kQO9HrJyT7gIB"
    "wkUDg3L/kaUnpWH/lKQx5wNVsdrPDSHUCPpNNGEnokHVIGBjY4Qn86+1nzX8ShAmor4MWP"
    "vHNs3bftE+/QLenAIEfn+5ad73j4xY4cZ5g2/QIed0yoRY/JD/aYfP8/yRA5JA=="
)
