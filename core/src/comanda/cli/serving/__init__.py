"""Commands that run Comanda."""
