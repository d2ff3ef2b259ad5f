"""What stands in the bodies of the web push plugin's routes, for tests of every route."""

SUBSCRIPTION = '{"endpoint": "https://push.example.com/3f", "keys": {"p256dh": "BOr", "auth": "k8J"}}'
BODIES = {
    "PushSubscriptionBody": {"token": SUBSCRIPTION, "locale": "pt"},
    "EndedPushSubscriptionBody": {"token": SUBSCRIPTION},
}
