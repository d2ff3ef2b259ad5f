"""Running Comanda: one process, several, or other ASGI servers."""
