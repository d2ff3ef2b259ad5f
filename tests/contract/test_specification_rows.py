"""Every row of the specification's endpoint tables is listed in the index, and described in OpenAPI.

``ROWS`` are data, written down from the tables and lists of the specification and from nothing in this repository. Rows
of ``{site_url}`` stand under ``SITE_ROWS``. Paths are compared exactly, with the names of their
parameters.
"""

import json

from comanda.contracts.requests.routes import API_PREFIX
from comanda.web.api_reference.discovery import build_index
from comanda.web.api_reference.openapi import split_document
from installed_plugins import SITE, get_description, get_registry
from openapi_spec_validator import validate
from sweep import sweep

# Methods that share a row of the specification share a line here.
API_ROWS = """
    GET /me
    GET /restaurants
    GET /restaurants/{id}
    GET /restaurants/{id}/menu
    GET POST /restaurants/{id}/orders
    GET /restaurants/{id}/orders/{orderId}
    PUT /restaurants/{id}/orders/{orderId}/status
    GET /restaurants/{id}/deliveries
    POST /restaurants/{id}/orders/{orderId}/assign
    PUT /restaurants/{id}/orders/{orderId}/delivery-status
    GET /restaurants/{id}/analytics
    GET POST /restaurants/{id}/customers
    POST /restaurants/{id}/menu/categories
    PUT DELETE /restaurants/{id}/menu/categories/{categoryId}
    POST /restaurants/{id}/menu/items
    PUT DELETE /restaurants/{id}/menu/items/{itemId}
    PATCH /restaurants/{id}/menu/items/{itemId}/sold-out
    GET POST /restaurants/{id}/menu/items/{itemId}/variants
    GET PUT DELETE /restaurants/{id}/menu/items/{itemId}/variants/{variantId}
    GET /restaurants/{id}/brands
    GET /restaurants/{id}/brands/{brandId}
    GET /restaurants/{id}/fitments
    GET /restaurants/{id}/fitments/{fitmentId}
    GET /restaurants/{id}/guests
    GET /restaurants/{id}/guests/segments
    GET /restaurants/{id}/reservations
    GET /restaurants/{id}/shipments
    GET /restaurants/{id}/orders/{orderId}/shipment
    GET POST /drivers
    PUT DELETE /drivers/{id}
    POST /drivers/{id}/rotate-token
    GET POST /webhook-endpoints
    DELETE /webhook-endpoints/{id}

    GET /storefront/menu
    GET /storefront/restaurant
    POST /storefront/orders

    GET /menu/{restaurantId}
    GET /track/{token}

    POST /restaurants/{id}/customer/register
    POST /restaurants/{id}/customer/login
    POST /restaurants/{id}/customer/otp/request
    POST /restaurants/{id}/customer/otp/verify
    GET PUT /customer/me
    GET POST /customer/orders
    GET POST /customer/addresses
    PUT DELETE /customer/addresses/{id}
    GET /customer/gift-cards
    GET /customer/store-credit
    POST /customer/logout

    POST /driver/login/request
    POST /driver/login/verify
    GET /driver/me
    GET /driver/deliveries
    GET /driver/available
    POST /driver/deliveries/{orderId}/claim
    POST /driver/deliveries/{orderId}/pod-otp
    POST /driver/deliveries/{orderId}/pod-photo
    PUT /driver/deliveries/{orderId}/status
    GET /driver/earnings
    PUT /driver/location
    GET /driver/offers
    POST /driver/offers/{offerId}/accept
    POST /driver/offers/{offerId}/reject
    POST /driver/push/register-device
    POST /driver/push/unregister-device
    POST /driver/shift

    POST /restaurants/{id}/staff/login
    POST /restaurants/{id}/staff/pin
    GET /staff/me
    GET /staff/orders
    PUT /staff/orders/{orderId}/status
    GET /staff/kds
    PUT /staff/kds/items/{itemId}/bump
    PUT /staff/kds/items/{itemId}/recall
    POST /staff/menu/items
    PUT DELETE /staff/menu/items/{itemId}
    PATCH /staff/menu/items/{itemId}/sold-out
    POST /staff/menu/categories
    GET /staff/analytics
    POST /staff/2fa/setup
    POST /staff/2fa/confirm
    POST /staff/push/register-device
    POST /staff/push/unregister-device
    GET /staff/integration/status
    POST /staff/integration/busy
    POST /staff/integration/snooze
    POST /staff/logout

    GET /reseller/customers
    POST /reseller/customers/{id}/suspend
    POST /reseller/customers/{id}/unsuspend
    GET /reseller/customer-invoices
    GET /reseller/invoices
    GET POST /reseller/plans
    GET /reseller/stats
    GET /reseller/subscriptions
    POST /reseller/subscriptions/{id}/cancel
    GET /reseller/tier

    POST /app/auth/login
    POST /app/auth/logout
    GET /app/config
    POST /app/devices
    POST /app/devices/unregister
    GET /app/handoff/{nonce}
    GET /app/me
    GET /app/path-configuration/{platform}.json
    POST /app/session
"""
SITE_ROWS = """

    POST /oauth/token
    GET /apps/{appId}/session-token
    GET /apps/{appId}/embed
    POST /api/app/usage
"""


def list_rows(text, prefix):
    """List the rows of a text as ``(method, path)``."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    return [(method, prefix + path) for *methods, path in lines for method in methods]


API, SITE_ONLY = list_rows(API_ROWS, API_PREFIX), list_rows(SITE_ROWS, "")


def share_equal_parts(document):
    """Return a copy in which equal parts are one object, which the validator checks once."""
    parts = {}
    return json.loads(json.dumps(document), object_hook=lambda part: parts.setdefault(json.dumps(part), part))


def test_rows_are_those_of_the_specification():
    assert len({*API, *SITE_ONLY}) == len(API) + len(SITE_ONLY) == 126


def test_rows_are_in_the_index_of_their_place():
    index = json.loads(build_index(get_registry(), SITE))
    listed = {
        key: {endpoint for group in index[key].values() for endpoint in group}
        for key in ("endpoints", "site_endpoints")
    }

    assert {f"{method} {path}" for method, path in API} <= listed["endpoints"]
    assert {f"{method} {path}" for method, path in SITE_ONLY} <= listed["site_endpoints"]
    assert all(endpoint.split()[1].startswith(API_PREFIX) for endpoint in listed["endpoints"])
    assert not any(endpoint.split()[1].startswith(API_PREFIX) for endpoint in listed["site_endpoints"])


def test_rows_are_in_the_description_of_their_place():
    api, site = split_document(get_description(), SITE)

    assert api["servers"] == [{"url": SITE + API_PREFIX}]
    assert site["servers"] == [{"url": SITE}]
    assert all(path.startswith(API_PREFIX) for path in api["paths"])
    assert not any(path.startswith(API_PREFIX) for path in site["paths"])
    with sweep(at_least=126) as checks:
        for rows, described in ((API, api), (SITE_ONLY, site)):
            validate(share_equal_parts(described))
            for method, path in rows:
                with checks.check(f"{method} {path}"):
                    assert {"200", "4XX"} <= set(described["paths"][path][method.lower()]["responses"])
