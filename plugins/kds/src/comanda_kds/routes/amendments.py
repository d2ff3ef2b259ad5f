"""What the kitchen does with amended orders: voids are seen, courses fired."""

from comanda.contracts import Caller, Routes
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_kds.records import FiredCourse, SeenVoid
from comanda_kds.services import courses, voids

routes = Routes("Kitchen", callers=STAFF_ONLY)


@routes.put("/staff/kds/voids/{voidId}/seen", scope=Permission.KDS)
async def confirm_void(caller: Caller, void_id: int) -> SeenVoid:
    """Take what was voided off the board once a cook has seen it. Repeats change nothing."""
    return await voids.confirm_void(caller, void_id)


@routes.post("/staff/kds/orders/{orderId}/courses/{course}/fire", scope=Permission.KDS, status=200)
async def fire_course_from_kitchen(caller: Caller, order_id: int, course: int) -> FiredCourse:
    """Fire a held course from the kitchen. Repeats change nothing."""
    return await courses.fire_course(caller, order_id, course)


@routes.post("/staff/orders/{orderId}/courses/{course}/fire", scope=Permission.ORDERS, status=200)
async def fire_course(caller: Caller, order_id: int, course: int) -> FiredCourse:
    """Fire a held course of an order: the kitchen may make its items. Repeats change nothing."""
    return await courses.fire_course(caller, order_id, course)
