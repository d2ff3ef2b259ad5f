"""One-time codes: single use, expiry, wrong attempts and several active codes."""

import asyncio
from datetime import timedelta

import pytest
from comanda.accounts import codes
from comanda.accounts.codes import LOGIN_RULES, CodeRecipient, CodeRules
from comanda.basics.errors import RateLimited
from comanda.platform.db import sql

PHONE = "+351912345678"
SHORT = CodeRules(digits=4, lifetime=timedelta(minutes=2), wrong_tries=2, max_per_day=3, pause=timedelta(seconds=30))


@pytest.fixture
def recipient(owner):
    return CodeRecipient("test", PHONE, "login", owner.id)


async def redeem(recipients, code, rules=LOGIN_RULES, source=""):
    """Redeem as callers do: in a transaction that is committed whatever comes out."""
    async with sql.transaction():
        return await codes.redeem_code(recipients, code, rules, source=source)


def other_than(code):
    return f"{(int(code) + 1) % 10 ** len(code):0{len(code)}}"


async def stored(owner):
    return await sql.fetch_value("SELECT count(*) FROM core_login_code WHERE owner_id = $1", owner.id)


async def test_a_code_can_be_redeemed_once(recipient):
    code = await codes.issue_code(recipient)

    assert len(code) == 6
    assert code.isdecimal()
    assert (await redeem([recipient], code)).recipient == recipient
    again = await redeem([recipient], code)
    assert (again.recipient, again.reason) == (None, "otp_invalid")


async def test_simultaneous_attempts_redeem_a_code_once(recipient):
    code = await codes.issue_code(recipient)

    outcomes = await asyncio.gather(*(redeem([recipient], code) for _ in range(8)))

    assert [one.recipient for one in outcomes].count(recipient) == 1


@pytest.mark.parametrize(
    "change", [{"realm": "tests"}, {"identity": PHONE + "0"}, {"purpose": "proof"}, {"owner_id": None}]
)
async def test_a_code_is_not_valid_for_another_holder(owner, recipient, change):
    fields = {"realm": "test", "identity": PHONE, "purpose": "login", "owner_id": owner.id, **change}
    code = await codes.issue_code(recipient)

    assert (await redeem([CodeRecipient(**fields)], code)).reason == "otp_invalid"
    assert (await redeem([recipient], code)).recipient == recipient


async def test_a_code_of_another_owner_is_refused(recipient, other_owner):
    theirs = CodeRecipient("test", PHONE, "login", other_owner.id)
    code = await codes.issue_code(recipient)
    their_code = await codes.issue_code(theirs)

    if code != their_code:
        assert (await redeem([theirs], code)).reason == "otp_invalid"
    assert (await redeem([recipient], code)).recipient == recipient
    assert (await redeem([theirs], their_code)).recipient == theirs


async def test_a_holder_needs_no_owner(app):
    nobodys = CodeRecipient("test.nobody", PHONE, "login", None)

    assert (await redeem([nobodys], await codes.issue_code(nobodys))).recipient == nobodys
    await codes.delete_codes([nobodys])


async def test_only_the_newest_code_is_valid_with_one_active(owner, recipient):
    mail, rules = CodeRecipient("test", "ada@example.com", "login", owner.id), CodeRules()
    old, new = await codes.issue_code(recipient, rules), await codes.issue_code(mail, rules)

    if old != new:
        assert (await redeem([recipient, mail], old, rules)).reason == "otp_invalid"
    assert (await redeem([recipient, mail], new, rules)).recipient == mail
    # A holder alone still has its own.
    assert (await redeem([recipient], old, rules)).recipient == recipient


async def test_several_codes_are_valid_at_once(owner, recipient, clock):
    sent = [await codes.issue_code(recipient, source=f"source {number}") for number in range(5)]

    assert [code is None for code in sent] == [False, False, False, True, True]
    assert await stored(owner) == 3
    # Each of them opens the door, from wherever it is typed, and once.
    for code in sent[:3]:
        assert (await redeem([recipient], code, source="elsewhere")).recipient == recipient
    assert (await redeem([recipient], sent[0], source="elsewhere")).reason == "otp_invalid"
    assert await codes.issue_code(recipient, source="source 1") is not None


async def test_wrong_attempts_by_strangers_do_not_invalidate_a_code(recipient):
    code = await codes.issue_code(recipient, source="mine")

    strangers = [await redeem([recipient], other_than(code), source=f"stranger {number}") for number in range(40)]

    assert [one.reason for one in strangers] == ["otp_invalid"] * 5 + ["otp_exhausted"] * 35
    # Not even the right code helps them now, and a wrong one of the owner's is one of five.
    assert (await redeem([recipient], code, source="stranger 99")).reason == "otp_exhausted"
    assert (await redeem([recipient], other_than(code), source="mine")).reason == "otp_invalid"
    assert (await redeem([recipient], code, source="mine")).recipient == recipient


async def test_a_new_code_is_sent_after_strangers_used_all_attempts(recipient):
    guessed = [await codes.issue_code(recipient, source=f"stranger {number}") for number in range(3)]
    wrong = next(code for code in map("{:06}".format, range(9)) if code not in guessed)
    for _ in range(5):
        await redeem([recipient], wrong, source="stranger")

    code = await codes.issue_code(recipient, source="mine")

    assert code is not None
    assert (await redeem([recipient], code, source="mine")).recipient == recipient


async def test_several_active_codes_allow_no_more_guesses(recipient):
    """However many sources guess, a code is held against no more tries than its own five and five for each beside."""
    sources = [f"source {number}" for number in range(6)]
    sent = [await codes.issue_code(recipient, source=source) for source in sources]
    wrong = [code for code in map("{:06}".format, range(100)) if code not in sent]

    seen = 0
    for code in wrong[:60]:
        for source in (*sources, "another", "a third"):
            seen += (await redeem([recipient], code, source=source)).reason == "otp_invalid"

    assert seen == 5 * LOGIN_RULES.max_active + 5


async def test_too_many_wrong_attempts_invalidate_a_code(recipient):
    code = await codes.issue_code(recipient)

    outcomes = await asyncio.gather(*(redeem([recipient], other_than(code)) for _ in range(7)))

    assert sorted(one.reason for one in outcomes) == ["otp_exhausted"] * 2 + ["otp_invalid"] * 5
    refused = (await redeem([recipient], code)).to_error()
    assert (list(refused.errors), refused.extras) == (["code"], {"reason": "otp_exhausted"})
    assert (await redeem([recipient], await codes.issue_code(recipient))).recipient == recipient


async def test_rules_limit_lifetime_and_attempts(recipient, clock):
    code = await codes.issue_code(recipient, SHORT)
    assert len(code) == 4
    for _ in range(2):
        assert (await redeem([recipient], other_than(code), SHORT)).reason == "otp_invalid"
    assert (await redeem([recipient], code, SHORT)).reason == "otp_exhausted"

    clock.advance(seconds=30)
    code = await codes.issue_code(recipient, SHORT)
    clock.advance(minutes=2)
    assert (await redeem([recipient], code, SHORT)).reason == "otp_expired"


async def test_codes_are_sent_with_a_pause(owner, recipient, clock):
    await codes.issue_code(recipient, SHORT)
    clock.advance(seconds=20)

    with pytest.raises(RateLimited) as refused:
        await codes.issue_code(recipient, SHORT)

    assert refused.value.headers["Retry-After"] == "11"
    assert await stored(owner) == 1
    clock.advance(seconds=10)
    await codes.issue_code(recipient, SHORT)


async def test_simultaneous_requests_respect_the_daily_limit(owner, recipient):
    rules = CodeRules(max_per_day=3)

    outcomes = await asyncio.gather(*(codes.issue_code(recipient, rules) for _ in range(8)), return_exceptions=True)

    assert sum(isinstance(one, RateLimited) for one in outcomes) == 5
    assert await stored(owner) == 3


async def test_the_daily_limit_covers_all_purposes(owner, recipient, clock):
    rules = CodeRules(max_per_day=2)
    await codes.issue_code(recipient, rules)
    clock.advance(hours=1)
    await codes.issue_code(CodeRecipient("test", PHONE, "proof", owner.id), rules)

    with pytest.raises(RateLimited) as refused:
        await codes.issue_code(recipient, rules)

    assert refused.value.headers["Retry-After"] == str(23 * 3600 + 1)
    await codes.issue_code(CodeRecipient("test", "ada@example.com", "login", owner.id), rules)


async def test_a_rolled_back_code_does_not_exist(owner, recipient):
    async def fail():
        async with sql.transaction():
            await codes.issue_code(recipient)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()

    assert await stored(owner) == 0


async def test_deleting_codes_leaves_those_of_other_holders(owner, recipient):
    proof = CodeRecipient("test", PHONE, "proof", owner.id)
    code, kept = await codes.issue_code(recipient), await codes.issue_code(proof)

    await codes.delete_codes([recipient])

    assert (await redeem([recipient], code)).reason == "otp_invalid"
    assert (await redeem([proof], kept)).recipient == proof


async def test_the_table_holds_neither_code_nor_identity(owner, recipient):
    code = await codes.issue_code(recipient)

    row = await sql.fetch_one("SELECT * FROM core_login_code WHERE owner_id = $1", owner.id)
    texts = [value for value in row.values() if isinstance(value, (str, bytes))]
    assert sorted(map(len, texts)) == [5, 32, 32, 32, 32]
    assert not any(code in str(value) or PHONE in str(value) for value in texts)


async def test_only_codes_that_no_longer_count_are_deleted(owner, recipient, clock, run_task):
    invited = CodeRecipient("test", "bo@example.com", "invite", owner.id)
    await codes.issue_code(recipient)
    code = await codes.issue_code(invited, CodeRules(lifetime=timedelta(days=7)))
    clock.advance(hours=25)
    await run_task("prune_codes")
    assert await stored(owner) == 2

    clock.advance(seconds=1)
    await run_task("prune_codes")

    assert await stored(owner) == 1
    assert (await redeem([invited], code)).recipient == invited
