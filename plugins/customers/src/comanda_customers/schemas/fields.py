"""Field types shared by several bodies."""

import re
from datetime import date
from typing import Annotated, Any

from comanda.basics import clock
from comanda.contracts import ShortText
from pydantic import AfterValidator, BeforeValidator, Field

ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def _check_date(value: Any) -> Any:
    # pydantic would also parse 0 as 1970-01-01.
    if not isinstance(value, date) and not (isinstance(value, str) and ISO_DATE.fullmatch(value)):
        raise ValueError("must be a date, such as 1990-02-28")
    return value


def _check_past(day: date) -> date:
    if not date(1900, 1, 1) <= day < clock.now().date():
        raise ValueError("must be in the past, from 1900-01-01 on")
    return day


Birthday = Annotated[date, BeforeValidator(_check_date), AfterValidator(_check_past)]
Locale = Annotated[str, Field(max_length=35, pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$")]
EmailText = Annotated[ShortText, Field(max_length=255)]
PhoneText = Annotated[ShortText, Field(max_length=50)]
Password = Annotated[str, Field(max_length=500)]
CodeText = Annotated[str, Field(pattern=r"^[0-9]{6}$")]
DeviceName = Annotated[ShortText, Field(max_length=100)]
