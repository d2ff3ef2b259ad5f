"""Side-by-side measurements: Comanda beside the smallest honest program that does the same work."""
