"""Amendments of orders that are not paid yet: lines added and voided, discounts given, tables moved, orders merged."""
