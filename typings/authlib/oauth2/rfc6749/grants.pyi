from typing import Any

class BaseGrant:
    GRANT_TYPE: str
    server: Any
    request: Any

class AuthorizationCodeGrant(BaseGrant): ...
class RefreshTokenGrant(BaseGrant): ...
