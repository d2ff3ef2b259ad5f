"""Web serving: in one process, in several, or with other ASGI servers."""
