"""The test clock: in development, ``comanda.clock.now()`` can be moved forward, for all processes of an installation.

What falls due then runs at once: queues, periodic tasks, trials, retries, codes, retention. Real time goes on; nothing
moves it back. With the setting ``COMANDA_TEST_CLOCK`` unset, nothing here runs.
"""
