"""Fixtures and fakes for the tests of every plugin, third parties' too.

Load them with ``-p comanda.testing.plugin``. Tests run against a real PostgreSQL: the embedded one, or the server of
``TEST_DATABASE_URL``. Each pytest worker has a database of its own, migrated once; each test makes an owner of its own,
so that tenancy keeps tests apart and nothing needs to be emptied between them.
"""
