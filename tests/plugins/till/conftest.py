"""A waiter who calls the routes of the till."""

import pytest
from comanda.accounts.services import issue_token
from comanda_staff.caller_kinds import STAFF


@pytest.fixture
def log_in(store):
    """Return a function that returns the headers of a member of staff with permissions."""

    async def log_in(*permissions):
        issued = await issue_token(STAFF, store.owner.id, permissions, name="Ada", store_id=store.id, subject_id=1)
        return {"Authorization": f"Bearer {issued.secret}"}

    return log_in
