"""Payment accounts and setups as plugins see them."""

import pytest
from comanda.contracts import (
    AccountCapability,
    AccountField,
    AccountMode,
    AccountState,
    AccountStatus,
    PaymentAccount,
    ProviderSetup,
)

ONLINE = frozenset({AccountCapability.ONLINE})


def make_account(state=AccountState.READY):
    return PaymentAccount("cardpay", 12, None, 5, AccountMode.TEST, state, ONLINE, "", credentials={"key": "s3cret"})


@pytest.mark.parametrize("state", AccountState)
def test_only_a_ready_account_can_do_anything(state):
    assert make_account(state).can(AccountCapability.ONLINE) is (state is AccountState.READY)
    assert not make_account(state).can(AccountCapability.IN_PERSON)


def test_key_names_owner_and_account():
    assert make_account().key == "account-12-5"


def test_credentials_are_not_shown():
    status = AccountStatus(AccountState.READY, AccountMode.TEST, credentials={"key": "s3cret"})

    assert "s3cret" not in f"{make_account()} {status}"


@pytest.mark.parametrize(
    ("fields", "has_account_page", "is_enterable"),
    [
        ((), False, True),
        ((AccountField("key", "Key"),), False, True),
        ((AccountField("key", "Key"),), True, True),
        ((), True, False),
    ],
)
def test_account_without_fields_is_entered_unless_a_page_completes_it(fields, has_account_page, is_enterable):
    assert ProviderSetup("CardPay", fields, has_account_page).is_enterable is is_enterable
