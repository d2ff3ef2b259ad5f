"""What every part stands on: settings, database, HTTP, MCP, events, queues, tasks, files and calls of plugins."""
