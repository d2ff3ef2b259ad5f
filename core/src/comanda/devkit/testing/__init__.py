"""Fixtures and fakes for tests of plugins, including third-party plugins.

They come with the extra ``testing`` of ``comanda-core``; load them with ``-p comanda.devkit.testing.plugin``, and make
pytest-asyncio run all tests on one loop, like the ``pyproject.toml`` that ``comanda plugins new`` writes::

    [tool.pytest.ini_options]
    addopts = "-p comanda.devkit.testing.plugin"
    asyncio_mode = "auto"
    asyncio_default_fixture_loop_scope = "session"
    asyncio_default_test_loop_scope = "session"

Tests run against a real PostgreSQL: an embedded server, started automatically, or the server of ``TEST_DATABASE_URL``.
Each pytest worker has its own database, migrated once with all installed plugins; each test creates its own owner, so
that tenancy isolates tests and no cleanup is needed.

The fixtures:

``client``       sends HTTP requests; every JSON answer is validated against the schema of its route
``mcp``          ``mcp(path, headers)`` creates an MCP client: ``tools``, ``call``, ``refused``, ``error``
``owner``        a tenant used by this test only: ``id``, ``auth`` (headers), ``caller`` (for services),
                 ``await owner.token_with("menu:read")``, ``await owner.store("hotel", timezone="Europe/Lisbon")``
``other_owner``  another tenant, who must not see anything of the first
``open_store``   ``await open_store("florist")`` creates a store of a type; it is like ``store``
``store``        a restaurant of the owner, used over HTTP: ``get``, ``send``, ``item``, ``place``, ``order`` and
                 more in ``comanda.devkit.testing.stores``; requires ``comanda-restaurant``. ``store_id`` is its id
``published``    ``await published()`` returns the owner's events so far, oldest first, as ``(name, data)``
``dispatch``     ``await dispatch()`` dispatches all waiting events to their handlers
``run_task``     ``await run_task("florist_remind")`` runs a task once
``sent_messages`` ``await sent_messages()`` sends the messages that wait, to nobody, and returns those of this test
``clock``        a stopped clock, moved by ``clock.advance(minutes=5)`` or ``clock.set(moment)``
``advance_time`` ``advance_time(days=40)`` moves the time forward like the test clock: it goes on, and queues, events
                 and periodic tasks, which use the clock of the database, follow
``runtime``      settings and registry; ``app`` the application; ``settings`` those of core
``database_url`` this worker's database; ``new_database`` creates another, which is empty, and
                 ``new_migrated_database`` one with all tables; ``postgres`` is the server of them all

For tests that need whole processes, ``comanda.devkit.testing.processes`` runs the real ``comanda``,
``comanda.devkit.testing.data_folders`` creates the folders that it keeps its data in,
``comanda.devkit.testing.polling`` waits until a condition holds, and ``comanda.devkit.testing.wheels`` tests a plugin
as a wheel: installed into an environment of its own, used, uninstalled and installed again.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
