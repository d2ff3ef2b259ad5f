"""Paths, bodies and tool calls of the entitlements plugin, for tests of every route and tool: there are none."""
