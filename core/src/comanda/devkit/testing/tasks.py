"""Tasks in tests: they run when a test says so."""

from comanda.platform import runtime


async def run_task(name: str) -> None:
    """Run a task once, by its name, in this process. Raises ``LookupError`` for a name that no plugin registers."""
    task = runtime.registry().tasks.get(name)
    if task is None:
        raise LookupError(f"No installed plugin registers a task {name}.")
    await task.run()
