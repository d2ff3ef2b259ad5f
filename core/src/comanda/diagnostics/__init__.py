"""What `comanda doctor` looks at, one module per subject. A check that was not made never says that all is well."""
