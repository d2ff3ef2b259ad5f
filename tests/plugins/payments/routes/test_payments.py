"""Payments over HTTP."""

import pytest


@pytest.mark.parametrize("drawer", ["", " ", "x" * 51])
async def test_invalid_drawer_is_refused(till, drawer):
    assert list((await till.pay(drawer=drawer)).errors) == ["drawer"]
    assert await till.payments() == []
