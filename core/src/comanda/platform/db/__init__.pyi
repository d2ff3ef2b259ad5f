from . import sql as sql
from .distribution.placements import split_by_statement as split_by_statement
from .errors import TRANSIENT_ERRORS as TRANSIENT_ERRORS
from .errors import get_constraint_name as get_constraint_name
from .idempotency import KeyedTable as KeyedTable
from .partitions import is_partitioned as is_partitioned
from .replica import read_from_replica as read_from_replica
