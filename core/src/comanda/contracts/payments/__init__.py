"""Payment methods and the providers behind them, their accounts and payouts, and cash that drivers collect."""
