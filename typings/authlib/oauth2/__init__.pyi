from typing import Any

class OAuth2Error(Exception):
    error: str
    description: str
    status_code: int
    def get_error_description(self) -> str: ...
    def __init__(self, description: str | None = None, **options: Any) -> None: ...
