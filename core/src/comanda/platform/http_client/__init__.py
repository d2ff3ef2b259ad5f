"""Requests to addresses that tenants or strangers name: public addresses only, checked at every connection."""
