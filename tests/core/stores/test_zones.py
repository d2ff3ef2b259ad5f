"""Names of time zones."""

import pytest
from comanda.stores.zones import is_time_zone


@pytest.mark.parametrize("name", ["UTC", "Europe/Lisbon", "America/Argentina/Buenos_Aires"])
def test_names_of_the_iana_database_are_time_zones(name):
    assert is_time_zone(name)


@pytest.mark.parametrize("name", ["", "Lisbon", "+01:00", "Europe/Atlantis", "../../etc/passwd"])
def test_other_names_are_no_time_zones(name):
    assert not is_time_zone(name)
