"""Balances that people spend: gift cards and store credit, with their ledgers."""
