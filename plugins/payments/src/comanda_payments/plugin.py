"""Tenders, refunds, gift cards and store credit, in ledgers that balance."""
