"""Answers as they look, generated from their schemas: whole ones, with values that such a field may really have.

The examples of request bodies (``comanda.platform.http.examples``) show what a client has to send; these
show what it gets back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from comanda.basics.json_schema import Schema
from comanda.platform.http.examples import EXAMPLES_BY_FORMAT

MAX_DEPTH: Final = 5
MOMENT: Final = "2027-06-01T18:30:00+00:00"

# What the object around a field named ``name`` or ``title`` is about, by a part of the object's name.
NAMES: Final[Mapping[str, str]] = {
    "category": "Soups",
    "item": "Minestrone",
    "variant": "Large",
    "extra": "Extra cheese",
    "line": "Minestrone",
    "store": "Trattoria Alba",
    "restaurant": "Trattoria Alba",
    "roomtype": "Double room",
    "room": "Room 12",
    "brand": "Ferodo",
    "station": "Grill",
    "drawer": "Till 1",
    "device": "Till 1",
    "app": "Loyalty Cards",
    "plan": "Standard",
    "token": "Website",
    "coupon": "Summer",
    "charge": "Service charge",
    "campaign": "Summer menu",
}
PEOPLE: Final = re.compile("account|caller|contact|customer|driver|guest|member|owner|profile|staff|user|author|me")
# By the whole name of a field, then by how it ends. The first that fits the schema is taken.
STRINGS: Final[Mapping[str, str]] = {
    "type": "takeaway",
    "status": "new",
    "payment_status": "unpaid",
    "store_type": "restaurant",
    "currency": "EUR",
    "country": "PT",
    "language": "en",
    "locale": "en-GB",
    "timezone": "Europe/Lisbon",
    "email": "ana@example.com",
    "phone": "+351912345678",
    "address": "Rua das Flores 12, 1200-195 Lisboa",
    "city": "Lisboa",
    "source": "api",
    "slug": "trattoria-alba",
    "note": "No onions, please",
    "description": "A few words about it",
    "label": "Takeaway",
    "method": "cash",
    "device": "Till 1",
    "token_type": "Bearer",
    "scope": "orders:read",
    "code": "SUMMER10",
    "sku": "MIN-1",
    "event": "order.created",
    "kind": "owner",
    "version": "v1",
    "message": "Everything is in order.",
    "secret": "whsec_C2FVsBQIhrscChlQIMV",
    "weekday": "monday",
    "first_name": "Ana",
    "last_name": "Silva",
    "customer_name": "Ana Silva",
    "user_agent": "Mozilla/5.0",
    "platform": "ios",
}
ENDINGS: Final[tuple[tuple[str, Any], ...]] = (
    ("_url", "https://shop.example.com"),
    ("_uri", "https://shop.example.com"),
    ("url", "https://shop.example.com"),
    ("_email", "ana@example.com"),
    ("_phone", "+351912345678"),
    ("_token", "9fQ2mX7cLw4TzR8vKd3N"),
    ("token", "9fQ2mX7cLw4TzR8vKd3N"),
    ("_code", "SUMMER10"),
    ("_number", "12"),
    ("number", "12"),
    ("_at", MOMENT),
    ("_date", "2027-06-01"),
    ("_day", "monday"),
    ("_name", "Ana Silva"),
    ("_status", "pending"),
    ("_type", "standard"),
    ("_id", "3f7c2a91"),
    ("id", "3f7c2a91"),
    ("ip", "203.0.113.7"),
)
NUMBERS: Final[tuple[tuple[str, float], ...]] = (
    # The amounts of one order, which agree with each other.
    ("refunded_total", 0),
    ("paid_total", 0),
    ("discount_total", 0),
    ("discount", 0),
    ("service_charge", 0),
    ("delivery_fee", 0),
    ("tip_amount", 0),
    ("rounding", 0),
    ("unit_price", 12.5),
    ("line_total", 25),
    ("subtotal", 25),
    ("amount_due", 25),
    ("tax_total", 4.67),
    ("tax", 4.67),
    ("tip", 0),
    ("fee", 0),
    ("lat", 38.7223),
    ("lng", -9.1393),
    ("longitude", -9.1393),
    ("current_page", 1),
    ("last_page", 1),
    ("per_page", 20),
    ("position", 0),
    ("quantity", 2),
    ("tax_rate", 23),
    ("rate", 10),
    ("percent", 10),
    ("_minor", 1250),
    ("amount", 12.5),
    ("price", 12.5),
    ("total", 25),
    ("balance", 25),
    ("minutes", 20),
    ("seconds", 60),
    ("_m", 850),
    ("order_id", 1042),
    ("store_id", 1),
    ("restaurant_id", 1),
    ("item_id", 7),
    ("_id", 3),
    ("id", 1042),
    ("number", 42),
    ("year", 2027),
)
# For strings of a pattern, and of a length that none of the above has.
SHAPES: Final = (
    "EUR",
    "PT",
    "en",
    "09:00",
    "482913",
    "trattoria-alba",
    "https://shop.example.com",
    "standard",
    "INV",
    "#b83a0a",
    "12.50",
    "2027-06-01",
    "monday",
    "a",
)
# What is null in most answers says nothing if it has a value.
MOSTLY_NULL: Final = re.compile(
    r"(cancel|refund|revoked|deleted|failed|error|rejected|ended|expired|suspended|closed|void|no_show|disabled|retry"
    r"|^coupon_code$|^table_number$|^room_number$|^scheduled_for$|^delivery_status$)"
)
MOSTLY_FALSE: Final = re.compile(rf"{MOSTLY_NULL.pattern}|is_paid|sold_out|test|hidden")


class AnswerSamples:
    """Generates samples of answers; references are looked up by name in ``definitions``."""

    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions

    def create(self, schema: Schema) -> Any:
        """Return a sample of an answer."""
        return self._create(schema, "", "", ())

    def _create(self, schema: Schema, name: str, around: str, seen: tuple[str, ...]) -> Any:
        schema, model = self._resolve(schema, name, seen)
        known = schema.get("examples") or schema.get("enum") or ([schema["const"]] if "const" in schema else None)
        if known:
            return known[0]
        if "properties" in schema:
            inner = (*seen, model or f"{around}.{name}")
            return self._create_object(schema, model or around, inner)
        if schema.get("type") == "array":
            return self._create_array(schema, name, around, seen)
        if schema.get("type") == "object":
            return self._create_map(schema, name, around, seen)
        return _create_scalar(schema, name, around)

    def _create_object(self, schema: Schema, model: str, seen: tuple[str, ...]) -> dict[str, Any]:
        required = schema.get("required", ())
        return {
            name: self._create(field, name, model, seen)
            for name, field in schema["properties"].items()
            if name in required or (len(seen) == 1 and "description" not in field)
        }

    def _create_array(self, schema: Schema, name: str, around: str, seen: tuple[str, ...]) -> list[Any]:
        items = schema.get("items", {})
        _, model = self._resolve(items, name, ())
        # Most orders have no extra charges; one with them would not add up.
        if not schema.get("minItems") and (name == "charges" or len(seen) >= MAX_DEPTH or model in seen):
            return []
        return [self._create(items, re.sub(r"s$", "", name), around, seen)] * max(1, schema.get("minItems", 1))

    def _create_map(self, schema: Schema, name: str, around: str, seen: tuple[str, ...]) -> dict[str, Any]:
        values = schema.get("additionalProperties")
        if not isinstance(values, dict):
            return {}
        keys = schema.get("propertyNames", {}).get("enum") or [
            {"timeline": "created", "weekdays": "monday", "options": "Size", "links": "website"}.get(name, "takeaway")
        ]
        return {keys[0]: self._create(values, "website_url" if name == "links" else name, around, seen)}

    def _resolve(self, schema: Schema, name: str, seen: tuple[str, ...]) -> tuple[Schema, str]:
        model = ""
        while True:
            if "$ref" in schema:
                model = schema["$ref"].rpartition("/")[2]
                schema = {**self._definitions[model], **{k: v for k, v in schema.items() if k != "$ref"}}
            elif options := schema.get("anyOf") or schema.get("oneOf"):
                schema = self._choose(options, name, seen)
            else:
                return schema, model

    def _choose(self, options: list[Schema], name: str, seen: tuple[str, ...]) -> Schema:
        """Return the option that a sample has: null where that is usual, or where an object would contain itself."""
        null = next((option for option in options if option.get("type") == "null"), None)
        first = next(option for option in options if option is not null)
        is_repeated = first.get("$ref", "").rpartition("/")[2] in seen or len(seen) >= MAX_DEPTH
        return null if null is not None and (is_repeated or MOSTLY_NULL.search(name)) else first


def _create_scalar(schema: Schema, name: str, around: str) -> Any:
    kind = schema.get("type")
    if kind == "boolean":
        return name.startswith(("is_", "has_", "can_")) and not MOSTLY_FALSE.search(name)
    if kind in {"integer", "number"}:
        return _create_number(schema, name)
    return _create_string(schema, name, around) if kind == "string" else None


def _create_number(schema: Schema, name: str) -> float:
    value = next((value for ending, value in NUMBERS if name.endswith(ending)), 1)
    if schema["type"] == "integer":
        value = int(value)
    low, high = schema.get("minimum"), schema.get("maximum")
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        value = schema["exclusiveMinimum"] + 1
    if low is not None and value < low:
        value = low
    elif high is not None and value > high:
        value = high
    return value


def _create_string(schema: Schema, name: str, around: str) -> str:
    if schema.get("format") in EXAMPLES_BY_FORMAT:
        return EXAMPLES_BY_FORMAT[schema["format"]]
    candidates = [STRINGS.get(name), *(value for ending, value in ENDINGS if name.endswith(ending))]
    if name in {"name", "title"}:
        lowered = around.lower()
        usual = "Ana Silva" if PEOPLE.search(lowered) else "Standard"
        candidates = [next((text for word, text in NAMES.items() if word in lowered), usual)]
    found = next((text for text in (*candidates, *SHAPES) if text is not None and _fits(text, schema)), None)
    if "pattern" in schema or found in candidates:
        return found or ""
    # A word that is the field's own name reads as what it is: some text of that kind.
    text = name.replace("_", " ") or "text"
    return text if _fits(text, schema) else found or "a" * int(schema.get("minLength", 1))


def _fits(text: str, schema: Schema) -> bool:
    is_long_enough = schema.get("minLength", 0) <= len(text) <= schema.get("maxLength", len(text))
    return is_long_enough and ("pattern" not in schema or re.search(schema["pattern"], text) is not None)
