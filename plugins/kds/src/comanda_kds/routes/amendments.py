"""What the kitchen does with amended orders: voids are seen, courses fired."""

from comanda.contracts import Caller, Routes
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_kds.records import CourseFiring, OpenCourse, SeenVoid
from comanda_kds.schemas import FireBody
from comanda_kds.services import courses, voids

routes = Routes("Kitchen", callers=STAFF_ONLY)


@routes.put("/staff/kds/voids/{voidId}/seen", scope=Permission.KDS)
async def confirm_void(caller: Caller, void_id: int) -> SeenVoid:
    """Take what was voided off the board once a cook has seen it. Repeats change nothing."""
    return await voids.confirm_void(caller, void_id)


@routes.post("/staff/kds/orders/{orderId}/courses/{course}/fire", scope=Permission.KDS, status=200)
async def fire_course_from_kitchen(caller: Caller, order_id: int, course: int, body: FireBody) -> CourseFiring:
    """Fire a held course from the kitchen, now or at a time. Once it is fired, repeats change nothing."""
    return await courses.fire_course(caller, order_id, course, body)


@routes.delete("/staff/kds/orders/{orderId}/courses/{course}/fire", scope=Permission.KDS, status=200)
async def hold_course_from_kitchen(caller: Caller, order_id: int, course: int) -> CourseFiring:
    """Hold a course from the kitchen that was to be fired at a time. Repeats change nothing."""
    return await courses.hold_course(caller, order_id, course)


@routes.get("/staff/courses", scope=Permission.ORDERS)
async def list_courses(caller: Caller) -> list[OpenCourse]:
    """List the courses at which the orders are that are in work and have several, newest order first."""
    return await courses.list_courses(caller)


@routes.post("/staff/orders/{orderId}/courses/{course}/fire", scope=Permission.ORDERS, status=200)
async def fire_course(caller: Caller, order_id: int, course: int, body: FireBody) -> CourseFiring:
    """Fire a held course of an order, now or at a time: the kitchen may make its items.

    A time that is set again replaces the one before. Once the course is fired, repeats change nothing.
    """
    return await courses.fire_course(caller, order_id, course, body)


@routes.delete("/staff/orders/{orderId}/courses/{course}/fire", scope=Permission.ORDERS, status=200)
async def hold_course(caller: Caller, order_id: int, course: int) -> CourseFiring:
    """Hold a course of an order that was to be fired at a time. Repeats change nothing."""
    return await courses.hold_course(caller, order_id, course)
