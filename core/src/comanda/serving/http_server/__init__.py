"""Connections of the default server: Hypercorn's protocols with bounds of our own on bodies, times and numbers.

Written against hypercorn 0.18. Reused from it: the translation between ASGI and HTTP/1.1 (``H11Protocol``), HTTP/2
(``H2Protocol``) and WebSocket messages, the lifespan, the configuration. Replaced, because each held connections open
that nobody used any more:

- the queue of request messages, which blocked both its writers once the application had stopped reading;
- ``H11Protocol._handle_events``, which kept a body that nobody reads, and answered 100 before the application asked;
- ``H11Protocol._check_protocol``, which switched to HTTP/2 on an ``Upgrade`` header and accepted ambiguous framing;
- ``H2Protocol._handle_events`` for bodies of answered streams, which ended the connection with a ``KeyError``;
- ``TCPServer``, which kept the socket of a client that had left until its keep-alive time was over, closed with
  unread bytes (the client then loses the answer), and waited without end for clients that do not read;
- ``worker_serve``, which had no limits and whose shutdown could wait for ever.

``docs/decisions/0019-connections.md`` explains the bounds.
"""
