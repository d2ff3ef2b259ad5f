"""The author's kit: ``comanda plugins new`` writes a plugin that works, ``comanda plugins check`` looks one over.

``scaffold`` fills in the trees under ``templates``. ``checking`` collects findings. Those that a plugin's files show
are made in ``manifest``, ``plugin_module``, ``imports`` and ``pages``; those that only a loaded plugin shows are made
in a process of its own, ``probe``, so that a plugin that breaks cannot break the checker.
"""
