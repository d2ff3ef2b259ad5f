"""One module per thing measured; each is an async function from a bench to its findings."""
