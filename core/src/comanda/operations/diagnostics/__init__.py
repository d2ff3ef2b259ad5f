"""The checks of `comanda doctor`, one module per subject. A check that was not made never reports success."""
