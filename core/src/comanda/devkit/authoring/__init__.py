"""The tools for plugin authors: ``comanda plugins new`` creates a working plugin, ``comanda plugins check`` checks one.

``scaffold`` renders the trees under ``templates``. ``checker`` collects findings: those from the files of a plugin come
from ``manifest``, ``plugin_module``, ``shape``, ``imports`` and ``pages``; those that need the plugin to be loaded come
from a separate process, ``probe``, so that a broken plugin cannot break the checker.
"""
