"""Rate limits of login and code requests."""


async def test_eleventh_login_of_a_minute_returns_429(make_shopper, clock):
    somebody = make_shopper()

    statuses = [(await somebody.call_public("login", email="eve@example.com", password="x")).status for _ in range(12)]

    assert statuses == [401] * 10 + [429] * 2


async def test_seventh_code_request_of_a_minute_returns_429(make_shopper):
    somebody = make_shopper()

    replies = [await somebody.call_public("otp/request", phone=f"+35191234567{number}") for number in range(7)]

    assert [reply.status for reply in replies] == [200] * 6 + [429]
