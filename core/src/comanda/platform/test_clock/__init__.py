"""The test clock: in development, ``comanda.basics.clock.now()`` can be moved forward for a whole installation.

What falls due then runs at once: queues, periodic tasks, trials, retries, codes, retention. Real time goes on; nothing
moves it back. With the setting ``COMANDA_TEST_CLOCK`` unset, nothing here runs.
"""
