"""Hosts of stores: names, proof by DNS, and what core is told of them."""
