"""A year of a reseller's subscriptions under the test clock, and a check from the API alone that all agrees."""
