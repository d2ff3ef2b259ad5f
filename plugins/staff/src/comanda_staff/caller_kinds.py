"""The access token of a member of staff."""

from datetime import timedelta
from typing import Final

from comanda.contracts import CallerKind, Scope
from comanda.web import translate_error

from comanda_staff.models import Permission
from comanda_staff.services.names import get_names
from comanda_staff.services.permissions import list_page_scopes

STAFF: Final = CallerKind(
    code="staff",
    prefix="stf_",
    lifetime=timedelta(days=30),
    is_sliding=True,
    names=get_names,
    owner_scopes=list_page_scopes,
    translate_error=translate_error,
)

PERMISSION_SCOPES: Final = (
    Scope(Permission.ORDERS, "See, take and change orders", kinds=("staff",)),
    Scope(Permission.MENU_EDIT, "Change the menu", kinds=("staff",)),
    Scope(Permission.COUPONS, "Give discounts and refunds", kinds=("staff",)),
    Scope(Permission.ANALYTICS, "See reports", kinds=("staff",)),
    Scope(Permission.KDS, "Work at the kitchen display", kinds=("staff",)),
    Scope(Permission.CUSTOMERS, "See customers", kinds=("staff",)),
)
