"""Two owners with stores, people and records of all kinds, for requests that are refused or only read."""

from dataclasses import dataclass, field

import pytest
from comanda.devkit.testing.callers import TestOwner, create_test_owner
from comanda.devkit.testing.client import CheckedClient
from workshop import HOLDERS, OWNERS_APART, PreparedWorkshop


@dataclass
class World:
    """Records of an ``owner`` and of an ``other_owner``, who tries to reach the first's.

    Tests of this pytest worker share it, so none may change what it holds.
    """

    client: CheckedClient
    owner: TestOwner
    other_owner: TestOwner
    _sides: dict = field(default_factory=dict)
    _people: dict = field(default_factory=dict)

    @classmethod
    async def create(cls, client):
        return cls(client, await create_test_owner(), await create_test_owner())

    async def sides_of(self, route):
        """Return the workshops of the owner whose records a route is tried with, and of the other owner."""
        apart = next((path for path in OWNERS_APART if route.path.startswith(path)), None)
        if apart not in self._sides:
            owners = (self.owner, self.other_owner) if apart is None else [await create_test_owner() for _ in range(2)]
            self._sides[apart] = tuple(PreparedWorkshop(self.client, owner) for owner in owners)
        return self._sides[apart]

    async def person(self, kind, owner, marker, store_type="restaurant"):
        """Return the workshop and the headers of somebody of a kind in a store of an owner."""
        key = (kind, owner.id, marker, store_type)
        if key not in self._people:
            workshop = PreparedWorkshop(self.client, owner, await owner.store(store_type), marker)
            self._people[key] = workshop, await HOLDERS[kind](workshop)
        return self._people[key]


@pytest.fixture(scope="session")
async def world(app):
    """Return two owners with prepared records, which all tests share and none changes."""
    return await World.create(app.test_client())
