"""The author's kit: ``comanda plugins new`` writes a plugin that works, ``comanda plugins check`` holds one to the contract.

``scaffold`` fills in the trees under ``templates``. ``check`` collects findings: those that a plugin's files show are
made here, in ``manifest``, ``plugin_module``, ``imports`` and ``pages``; those that only a loaded plugin shows are made in a
process of its own, ``probe``, so that a plugin that breaks cannot break the checker.
"""
