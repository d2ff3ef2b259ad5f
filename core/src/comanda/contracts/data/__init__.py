"""Tables of plugins: their models, what grows without end, and how a cluster holds them."""
