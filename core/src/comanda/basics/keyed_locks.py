"""Locks by key, which exist while somebody holds or awaits them: what many need at once is made once."""

import asyncio
from collections.abc import Hashable
from weakref import WeakValueDictionary


class KeyedLocks:
    """One lock for each key; those who wait for what another makes look for it again once they hold the lock."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    def __getitem__(self, key: Hashable) -> asyncio.Lock:
        """Return the lock of a key."""
        return self._locks.setdefault(key, asyncio.Lock())
