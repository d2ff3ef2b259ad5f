"""Subscriptions: plans, the states and steps of a subscription, and its bills."""
