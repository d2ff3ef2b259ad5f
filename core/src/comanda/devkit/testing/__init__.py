"""Fixtures and fakes for the tests of every plugin, third parties' too.

They come with the extra ``testing`` of ``comanda-core``; load them with ``-p comanda.devkit.testing.plugin``, and let
pytest-asyncio run every test on one loop, as the ``pyproject.toml`` that ``comanda plugins new`` writes does::

    [tool.pytest.ini_options]
    addopts = "-p comanda.devkit.testing.plugin"
    asyncio_mode = "auto"
    asyncio_default_fixture_loop_scope = "session"
    asyncio_default_test_loop_scope = "session"

Tests run against a real PostgreSQL: an embedded one that starts by itself, or the server of ``TEST_DATABASE_URL``. Each
pytest worker has a database of its own, migrated once with every installed plugin; each test makes an owner of its own,
so that tenancy keeps tests apart and nothing needs to be emptied between them.

The fixtures, from the outside in:

``client``       sends HTTP requests; every JSON answer is held against the schema that its route promises
``mcp``          ``mcp(path, headers)`` makes an agent of an MCP server: ``tools``, ``call``, ``refused``, ``error``
``owner``        a tenant of this test alone: ``id``, ``auth`` (the header), ``caller`` (what services take first),
                 ``await owner.token_with("menu:read")``, ``await owner.store("hotel", timezone="Europe/Lisbon")``
``other_owner``  another tenant, who must see nothing of the first
``open_store``   ``await open_store("florist")`` opens a store of a type and gives it as ``store`` is given
``store``        a restaurant of the owner's, driven over HTTP: ``get``, ``send``, ``item``, ``place``, ``order`` and
                 more in ``comanda.devkit.testing.stores``. It needs ``comanda-restaurant``; ``store_id`` is its id alone
``published``    ``await published()`` lists the owner's events so far, oldest first, as ``(name, data)``
``dispatch``     ``await dispatch()`` takes every waiting event to its handlers, as the background work would
``clock``        the time, which stands still until ``clock.advance(minutes=5)`` or ``clock.set(moment)``
``runtime``      settings and registry; ``app`` the application; ``settings`` those of core
``database_url`` this worker's database; ``new_database`` makes another; ``postgres`` is the server of both

For what only whole processes show, ``comanda.devkit.testing.processes`` runs the real ``comanda`` on a data folder of its own.
"""
