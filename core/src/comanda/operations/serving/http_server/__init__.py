"""Connections of the engine hypercorn: its protocols with limits on bodies, durations and connections.

Written against hypercorn 0.18. Reused from it: the translation between ASGI and HTTP/1.1 (``H11Protocol``), HTTP/2
(``H2Protocol``) and WebSocket messages, the lifespan, the configuration. Replaced, because each kept unused
connections open:

- the queue of request messages, which blocked its writers once the application stopped reading;
- ``H11Protocol._handle_events``, which buffered unread bodies, and sent 100 before the application asked for the body;
- ``H11Protocol._check_protocol``, which switched to HTTP/2 on an ``Upgrade`` header and accepted ambiguous framing;
- ``H2Protocol._handle_events`` for bodies of answered streams, which closed the connection with a ``KeyError``;
- ``TCPServer``, which kept the socket of a disconnected client until its keep-alive time was over, closed with
  unread bytes (the client then loses the response), and waited for ever for clients that do not read;
- ``worker_serve``, which had no limits and whose shutdown could wait for ever.

``docs/decisions/0019-connections.md`` explains the limits.
"""
