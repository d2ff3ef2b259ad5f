"""Values and formats that know nothing of Comanda."""
