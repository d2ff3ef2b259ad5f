"""Routes for the form with which guests withdraw from a contract."""

from comanda.contracts import PUBLIC, Call, Routes, parse_body
from comanda.web import GuestStore, store_guests, translate_errors

from comanda_legal.schemas import WithdrawalBody, WithdrawalOut
from comanda_legal.services import guest_withdrawals

routes = Routes("Legal pages", callers=PUBLIC, prefix="", is_documented=False)
# Each statement sends an e-mail to an address that the sender chooses.
STATEMENTS_PER_MINUTE = 5
# All guests of a store together.
STATEMENTS_OF_STORE_PER_MINUTE = 30


@routes.post("/s/{slug}/withdrawals", answers=WithdrawalOut)
async def withdraw(call: Call, slug: str) -> dict[str, str]:
    """Withdraw from a contract with a store. A ``client_uuid`` that was used before leads to the first statement."""
    await store_guests.check_guest_call(call, "legal-page")
    with translate_errors(call.headers) as language:
        store = await guest_withdrawals.get_store(slug)
        await _count(call, store)
        body = parse_body(WithdrawalBody, call.body)
        return {"url": await guest_withdrawals.submit(store, body, call.body, language.code)}


@routes.post("/withdraw/{token}/statement", answers=WithdrawalOut)
async def withdraw_from_order(call: Call, token: str) -> dict[str, str]:
    """Withdraw from the order of a track token, like ``withdraw``."""
    await store_guests.check_guest_call(call, "legal-page")
    with translate_errors(call.headers) as language:
        store, order = await guest_withdrawals.get_order(token)
        await _count(call, store)
        body = parse_body(WithdrawalBody, call.body)
        return {"url": await guest_withdrawals.submit(store, body, call.body, language.code, order)}


async def _count(call: Call, store: GuestStore) -> None:
    await call.count(f"withdrawal:{call.client_network}", STATEMENTS_PER_MINUTE)
    await call.count(f"withdrawal:{store.owner_id}:{store.id}", STATEMENTS_OF_STORE_PER_MINUTE)
