"""Distances between points."""

from comanda_drivers.services.terms.distances import calculate_distance_m


def test_distances_match_the_map():
    lisbon, porto = (38.7139, -9.1335), (41.1496, -8.6110)

    assert calculate_distance_m(*lisbon, *lisbon) == 0
    assert calculate_distance_m(*lisbon, *porto) == calculate_distance_m(*porto, *lisbon) == 274_476
    assert calculate_distance_m(0, 0, 0, 180) == calculate_distance_m(90, 0, -90, 0) == 20_015_087
