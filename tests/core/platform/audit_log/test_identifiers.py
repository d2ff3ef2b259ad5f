"""The ids that audit entries keep of requests and answers."""

from comanda.platform.audit_log.identifiers import MAX_IDS, extract_argument_ids, extract_path_ids, extract_result_ids
from comanda.platform.audit_log.identifiers import to_path_id_names as id_names


def test_path_parameters_get_names_of_ids():
    names = id_names("/restaurants/{id}/orders/{orderId}")

    assert names == {"id": "restaurant_id", "orderId": "order_id"}


def test_texts_in_a_path_are_left_out():
    names = id_names("/orders/{orderId}/track/{token}")

    assert extract_path_ids(names, {"orderId": "17", "token": "s3cret"}) == {"order_id": 17}


def test_arguments_keep_ids_only():
    assert extract_argument_ids({"order_id": 7, "note": "no salt", "is_id": True, "quantity": 3}) == {"order_id": 7}


def test_results_keep_ids_of_nested_records():
    result = {"id": 1, "store_id": 2, "driver": {"id": 3, "name": "Ana"}, "items": [{"id": 4}]}

    assert extract_result_ids(result) == {"id": 1, "store_id": 2, "driver_id": 3}


def test_results_that_are_no_objects_have_no_ids():
    assert extract_result_ids(b"not JSON") == extract_result_ids([1]) == extract_result_ids(None) == {}


def test_an_entry_keeps_a_limited_number_of_ids():
    assert len(extract_result_ids({f"row{number}_id": number for number in range(MAX_IDS + 5)})) == MAX_IDS
