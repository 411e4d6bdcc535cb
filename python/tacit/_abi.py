"""The C API as ctypes sees it: constants, structs and signatures.

Nothing here is clever.  Every struct, member, constant and signature is written down once, in the order of the headers,
and ``tests/test_abi.py`` has a C compiler compare all of them with ``include/tacit/*.h``: a member that is missing, out of
place or of another size is a failure there, not a crash here.
"""

from __future__ import annotations

import ctypes as c
from typing import Any, Dict, List, Tuple

NONE = c.c_size_t(-1).value

# Constants by the name of their enum, as the headers have them.
ENUMS: Dict[str, Dict[str, int]] = {
    "tacit_status": {
        "TACIT_OK": 0, "TACIT_E_USAGE": 1, "TACIT_E_INPUT": 2, "TACIT_E_IO": 3, "TACIT_E_MEMORY": 4,
        "TACIT_E_STOPPED": 5, "TACIT_E_INTERNAL": 6,
    },
    "tacit_column_type": {
        "TACIT_COLUMN_INT8": 1, "TACIT_COLUMN_INT16": 2, "TACIT_COLUMN_INT32": 3, "TACIT_COLUMN_INT64": 4,
        "TACIT_COLUMN_UINT8": 5, "TACIT_COLUMN_UINT16": 6, "TACIT_COLUMN_UINT32": 7, "TACIT_COLUMN_UINT64": 8,
        "TACIT_COLUMN_FLOAT16": 9, "TACIT_COLUMN_FLOAT32": 10, "TACIT_COLUMN_FLOAT64": 11, "TACIT_COLUMN_BOOL": 12,
        "TACIT_COLUMN_DAYS": 13, "TACIT_COLUMN_TEXT": 14,
    },
    "tacit_type": {"TACIT_NUMBER": 0, "TACIT_INTEGER": 1, "TACIT_CATEGORY": 2},
    "tacit_role": {"TACIT_PUBLIC": 0, "TACIT_SENSITIVE": 1},
    "tacit_dates": {"TACIT_DATES_NONE": 0, "TACIT_DATES_YMD": 1, "TACIT_DATES_DMY": 2, "TACIT_DATES_MDY": 3},
    "tacit_encoding": {"TACIT_ONEHOT": 0, "TACIT_ORDINAL": 1},
    "tacit_origin": {"TACIT_ORIGIN_UNKNOWN": 0, "TACIT_ORIGIN_TRAINED": 1, "TACIT_ORIGIN_IMPORTED": 2},
    "tacit_verdict": {"TACIT_UNDECIDED": 0, "TACIT_CERTIFIED": 1, "TACIT_REFUTED": 2},
    "tacit_need": {"TACIT_NEED_NONE": 0, "TACIT_NEED_INDISPENSABLE": 1, "TACIT_NEED_UNDECIDED": 2},
    "tacit_rule": {
        "TACIT_RULE_AUTO": 0, "TACIT_RULE_ENTROPY": 1, "TACIT_RULE_MARGIN": 2, "TACIT_RULE_MONTECARLO": 3,
        "TACIT_RULE_STOP": 4,
    },
    "tacit_settled": {
        "TACIT_OPEN": 0, "TACIT_CERTAIN": 1, "TACIT_LIKELY": 2, "TACIT_ALL_REVEALED": 3, "TACIT_UNSETTLED": 4,
    },
    "tacit_part": {"TACIT_PART_ALL": 0, "TACIT_PART_TRAIN": 1, "TACIT_PART_HELD_OUT": 2},
}

# `bool progress(void *context, uint64_t done, uint64_t total)`
Progress = c.CFUNCTYPE(c.c_bool, c.c_void_p, c.c_uint64, c.c_uint64)

STRUCTS: Dict[str, Any] = {}


def _struct(name: str, *fields: Tuple[str, Any]) -> Any:
    """A ctypes structure that knows its name in C."""
    made = type(name, (c.Structure,), {"_fields_": list(fields), "__slots__": ()})
    STRUCTS[name] = made
    return made


def _counts(*names: str) -> List[Tuple[str, Any]]:
    return [(name, c.c_uint64) for name in names]


def _numbers(*names: str) -> List[Tuple[str, Any]]:
    return [(name, c.c_double) for name in names]


def _texts(*names: str) -> List[Tuple[str, Any]]:
    return [(name, c.c_char_p) for name in names]


def _sizes(*names: str) -> List[Tuple[str, Any]]:
    return [(name, c.c_size_t) for name in names]


def _arrays(kind: Any, *names: str) -> List[Tuple[str, Any]]:
    return [(name, c.POINTER(kind)) for name in names]


Error = _struct("tacit_error", ("status", c.c_int), ("row", c.c_size_t), ("column", c.c_char * 128),
                ("message", c.c_char * 4096))
CsvOptions = _struct(
    "tacit_csv_options", ("size", c.c_size_t), ("separator", c.c_char), ("missing", c.c_char_p), ("usual", c.c_uint),
    ("no_header", c.c_bool), ("names", c.c_char_p), ("decimal", c.c_char), ("skip_lines", c.c_size_t),
    ("skip_bad", c.c_size_t), ("defer_bad", c.c_bool))
Column = _struct(
    "tacit_column", ("name", c.c_char_p), ("type", c.c_int), ("values", c.c_void_p), ("stride", c.c_ssize_t),
    ("missing", c.c_void_p), ("levels", c.POINTER(c.c_char_p)), ("n_levels", c.c_size_t), ("reserved", c.c_void_p * 2))
Attribute = _struct(
    "tacit_attribute", ("name", c.c_char_p), ("type", c.c_int), ("role", c.c_int), ("encoding", c.c_int),
    *_numbers("cost", "min", "max", "fill"), ("n_levels", c.c_size_t), ("levels", c.POINTER(c.c_char_p)),
    ("missing_level", c.c_size_t), *_texts("question", "help", "special"), ("missing_is_value", c.c_bool),
    ("dates", c.c_int))
InferOptions = _struct(
    "tacit_infer_options", ("size", c.c_size_t), ("label", c.c_char_p), ("encoding", c.c_int),
    *_texts("sensitive", "public_", "drop"), ("test_share", c.c_double), ("seed", c.c_uint64),
    ("dates_as_days", c.c_bool), ("categories", c.c_char_p))
Baseline = _struct(
    "tacit_baseline", ("people", c.c_uint64), ("majority_class", c.c_size_t),
    *_numbers("accuracy", "accuracy_low", "accuracy_high", "majority_accuracy", "gain", "gain_low", "gain_high"),
    ("state", c.c_int))
ModelInfo = _struct(
    "tacit_model_info", ("kind", c.c_char_p), *_sizes("inputs", "scores", "train_rows", "test_rows"),
    *_numbers("train_accuracy", "test_accuracy", "test_share"), ("seed", c.c_uint64), ("l2", c.c_double),
    *_counts("clipped", "missing"), ("origin", c.c_int), ("data_hash", c.c_char_p), ("data_size", c.c_uint64),
    ("train_baseline", Baseline), ("test_baseline", Baseline), ("has_reference", c.c_bool),
    *_texts("model_hash", "version", "hidden"), *_sizes("trees", "leaves", "epochs", "batch", "patience"),
    *_numbers("rate", "momentum"), ("adam", c.c_bool), ("epochs_run", c.c_size_t), ("loss", c.c_double),
    ("cosine", c.c_bool), ("standardised", c.c_bool), ("l2_chosen", c.c_bool), ("additive", c.c_bool),
    ("threshold", c.c_double), *_sizes("variables", "depth"), ("in_order", c.c_bool))
FitOptions = _struct(
    "tacit_fit_options", ("size", c.c_size_t), ("kind", c.c_char_p), *_numbers("l2", "test_share"),
    ("seed", c.c_uint64), ("threads", c.c_size_t), ("progress", Progress), ("progress_context", c.c_void_p),
    ("hidden", c.c_char_p), *_sizes("epochs", "batch"), *_numbers("rate", "momentum"), ("adam", c.c_bool),
    ("patience", c.c_size_t), ("paper", c.c_bool), ("threshold", c.c_double), *_sizes("trees", "depth"),
    ("reserved", c.c_uint64 * 5))
ImportOptions = _struct(
    "tacit_import_options", ("size", c.c_size_t), ("test_share", c.c_double), ("seed", c.c_uint64),
    ("threads", c.c_size_t), *_texts("label", "sensitive", "public_"), ("threshold", c.c_double),
    ("predictions", c.c_char_p), ("in_order", c.c_bool))
Certificate = _struct(
    "tacit_certificate", ("verdict", c.c_int), ("label", c.c_size_t), ("nodes", c.c_uint64),
    *_numbers("seconds", "probability"), ("likely_label", c.c_size_t), ("witness", c.c_void_p * 2))
Change = _struct("tacit_change", ("possible", c.c_bool), ("label", c.c_size_t), ("value", c.c_char * 128))
ReleaseOptions = _struct("tacit_release_options", ("size", c.c_size_t), ("delta", c.c_double), ("rule", c.c_int),
                         ("seed", c.c_uint64), ("brief", c.c_bool))
Decision = _struct(
    "tacit_decision", ("settled", c.c_int), ("label", c.c_size_t), ("probability", c.c_double),
    *_sizes("asked", "not_known", "refused"), ("cost", c.c_double))
Event = _struct(
    "tacit_event", ("attribute", c.c_size_t), ("refused", c.c_bool), ("clipped", c.c_bool), ("not_known", c.c_bool),
    ("role", c.c_int), ("settled", c.c_int), ("label", c.c_size_t), ("probability", c.c_double))
Outlook = _struct("tacit_outlook", ("at_most", c.c_size_t), *_numbers("about", "settles"))
ReceiptStamp = _struct("tacit_receipt_stamp", ("id", c.c_char * 33), ("time", c.c_char * 21), ("order", c.c_char * 8))
Check = _struct(
    "tacit_check", ("valid", c.c_bool), ("reason", c.c_char * 256), ("label", c.c_size_t), ("settled", c.c_int),
    ("probability", c.c_double), ("leaves", c.c_size_t), ("is_signed", c.c_bool), ("trusted", c.c_bool),
    ("key", c.c_char * 48), *_sizes("version", "not_known"), ("stamp", ReceiptStamp),
    ("delta", c.c_double))
AuditOptions = _struct(
    "tacit_audit_options", ("size", c.c_size_t), ("deltas", c.POINTER(c.c_double)), ("n_deltas", c.c_size_t),
    ("rule", c.c_int), ("threads", c.c_size_t), ("group", c.c_char_p), ("groupings", c.POINTER(c.c_char_p)),
    ("n_groupings", c.c_size_t), ("rows_path", c.c_char_p), ("unknown_as_missing", c.c_bool), ("no_opt", c.c_bool),
    ("no_needs", c.c_bool), ("part", c.c_int), ("seed", c.c_uint64), ("partial", c.c_bool), ("team", c.c_void_p),
    ("progress", Progress), ("progress_context", c.c_void_p), ("keep_people", c.c_bool), ("keep_rows", c.c_bool),
    ("opt_share", c.c_double), ("rows_least", c.c_size_t))
AuditResult = _struct(
    "tacit_audit_result", ("delta", c.c_double), ("rule", c.c_int), ("people", c.c_uint64),
    *_arrays(c.c_uint64, "histogram", "asked"), ("total_asked", c.c_uint64),
    *_numbers("mean_asked", "share_asked", "none_asked", "mean_cost"),
    *_counts("certain", "likely", "all_revealed", "agree"), ("fidelity", c.c_double), ("correct", c.c_uint64),
    ("accuracy", c.c_double), *_counts("stopped", "failed"), *_numbers("promised", "observed", "low", "high"),
    ("promise", c.c_int), ("more_people", c.c_uint64),
    *_arrays(c.c_uint64, "indispensable", "undecided", "spare", "others"),
    *_counts("spare_people", "spare_answers", "clipped_agree", "clipped_own", "missing_agree"),
    ("fidelity_unclipped", c.c_double), ("calibrated", c.c_bool), ("confidence", c.c_double),
    *_arrays(c.c_uint64, "label_stopped", "label_failed"))
AuditSummary = _struct(
    "tacit_audit_summary", *_counts("people", "labelled"), ("n_sensitive", c.c_size_t),
    ("sensitive", c.POINTER(c.c_size_t)), ("baseline_correct", c.c_uint64), ("baseline_accuracy", c.c_double),
    *_sizes("n_classes", "n_public"), *_arrays(c.c_uint64, "decided", "truth", "confusion"), ("baseline", Baseline),
    ("has_opt", c.c_bool), ("opt_histogram", c.POINTER(c.c_uint64)), *_numbers("opt_mean_asked", "opt_mean_cost"),
    ("has_needs", c.c_bool), ("needs_undecided", c.c_bool),
    *_counts("opt_inexact", "clipped", "missing", "unknown", "skipped"), *_sizes("n_results", "n_groups"),
    ("data_hash", c.c_char_p), *_counts("people_clipped", "people_missing"),
    *_numbers("clipped_accuracy", "missing_accuracy"), *_counts("unclipped", "unclipped_agree"),
    ("clipped_shown", c.c_bool), ("missing_shown", c.c_bool), ("unclipped_shown", c.c_bool), ("part", c.c_int),
    ("origin", c.c_int), ("trained_on", c.c_int), ("trained_rows", c.c_uint64), ("training_file", c.c_bool),
    ("calibrated_with", c.c_bool), ("opt_mean_least", c.c_double), ("opt_people", c.c_uint64),
    ("opt_error", c.c_double))
AuditPeople = _struct(
    "tacit_audit_people", ("people", c.c_size_t), ("rows", c.POINTER(c.c_uint64)),
    *_arrays(c.c_uint8, "labels", "full_labels", "settled"), ("asked", c.POINTER(c.c_uint16)),
    ("probabilities", c.POINTER(c.c_double)), ("asked_sets", c.POINTER(c.c_uint64)), ("n_words", c.c_size_t))
AuditProvenance = _struct(
    "tacit_audit_provenance", ("size", c.c_size_t), ("files", c.POINTER(c.c_char_p)), ("n_files", c.c_size_t),
    *_texts("command", "date", "lang", "about_json", "necessity"))
CalibrateOptions = _struct(
    "tacit_calibrate_options", ("size", c.c_size_t), ("part", c.c_int), ("alpha", c.c_double),
    ("threads", c.c_size_t), ("unknown_as_missing", c.c_bool), ("progress", Progress),
    ("progress_context", c.c_void_p))
NecessityOptions = _struct(
    "tacit_necessity_options", *_sizes("size", "splits"), ("test_share", c.c_double), ("seed", c.c_uint64),
    ("people", c.c_size_t), ("tolerance", c.c_double), ("threads", c.c_size_t), ("fit", FitOptions),
    ("progress", Progress), ("progress_context", c.c_void_p))
LabelOptions = _struct(
    "tacit_label_options", ("size", c.c_size_t), ("threads", c.c_size_t), ("unknown_as_missing", c.c_bool))

Expectation = _struct("tacit_expectation", *_numbers("mean", "deviation"), *_arrays(c.c_double, "levels"),
                      *_sizes("n_levels"))

_handle = c.c_void_p
_new = c.POINTER(c.c_void_p)
_err = c.POINTER(Error)
_text = c.POINTER(c.c_void_p)  # char **: freed by tacit_text_free
_status = c.c_int
_char = c.c_char_p
_size = c.c_size_t


def _made(*arguments: Any) -> Tuple[Any, List[Any]]:
    """A fallible function: what it takes before the error."""
    return _status, [*arguments, _err]


# Result and arguments of every function that is called, by the library it is in.
CORE: Dict[str, Tuple[Any, List[Any]]] = {
    "tacit_version": (_char, []),
    "tacit_file_write": _made(_char, _char, _size),
    "tacit_table_read": _made(_new, _char, c.POINTER(CsvOptions), _size),
    "tacit_table_free": (None, [_handle]),
    "tacit_table_rows": (_size, [_handle]),
    "tacit_table_columns": (_size, [_handle]),
    "tacit_table_column_name": (_char, [_handle, _size]),
    "tacit_table_build": _made(_new, _char, c.POINTER(Column), _size, _size, c.POINTER(CsvOptions), _size),
    "tacit_table_from_arrow": _made(_new, _char, c.c_void_p, c.c_void_p, c.POINTER(CsvOptions), _size),
    "tacit_table_from_arrow_beside": _made(_new, _char, c.c_void_p, c.POINTER(Column), _size, _size,
                                           c.POINTER(CsvOptions), _size),
    "tacit_schema_infer": _made(_new, _handle, c.POINTER(InferOptions)),
    "tacit_schema_parse": _made(_new, _char, _size),
    "tacit_schema_text": _made(_text, c.POINTER(_size), _handle),
    "tacit_schema_free": (None, [_handle]),
    "tacit_schema_attributes": (_size, [_handle]),
    "tacit_schema_attribute": (c.POINTER(Attribute), [_handle, _size]),
    "tacit_schema_lookup": _made(_handle, _char, c.POINTER(_size)),
    "tacit_schema_label": (_char, [_handle]),
    "tacit_schema_classes": (_size, [_handle]),
    "tacit_schema_class": (_char, [_handle, _size]),
    "tacit_schema_question_text": (_char, [_handle, _size, _char]),
    "tacit_schema_csv": (None, [_handle, c.POINTER(CsvOptions)]),
    "tacit_schema_set_roles": _made(_handle, _char, _char),
    "tacit_model_load": _made(_new, _char),
    "tacit_model_save": _made(_handle, _char),
    "tacit_model_parse": _made(_new, _char, _size),
    "tacit_model_text": _made(_text, c.POINTER(_size), _handle),
    "tacit_model_with_roles": _made(_new, _handle, _char, _char),
    "tacit_model_free": (None, [_handle]),
    "tacit_model_schema": (_handle, [_handle]),
    "tacit_model_info_get": (c.POINTER(ModelInfo), [_handle]),
    "tacit_model_reads": (c.c_bool, [_handle, _size]),
    "tacit_model_confidence": (c.c_double, [_handle, c.c_int, c.c_double]),
    "tacit_model_calibrate": _made(_new, _handle, _handle, c.POINTER(CalibrateOptions)),
    "tacit_model_labels": _made(_handle, _handle, c.POINTER(LabelOptions), c.POINTER(c.c_uint8),
                                c.POINTER(c.c_double)),
    "tacit_person_new": _made(_new, _handle),
    "tacit_person_from_table": _made(_new, _handle, _handle, _size),
    "tacit_person_free": (None, [_handle]),
    "tacit_person_set": _made(_handle, _size, _char, c.POINTER(c.c_bool)),
    "tacit_person_knows": (c.c_bool, [_handle, _size]),
    "tacit_person_unknown": (c.c_bool, [_handle, _size]),
    "tacit_person_clipped": (c.c_bool, [_handle, _size]),
    "tacit_person_text": (None, [_handle, _size, _char, _size]),
    "tacit_person_label": (_size, [_handle]),
    "tacit_certify": _made(c.POINTER(Certificate), _handle),
    "tacit_certificate_clear": (None, [c.POINTER(Certificate)]),
    "tacit_smallest_core_least": _made(_handle, c.c_bool, c.POINTER(_size), c.POINTER(_size), c.POINTER(c.c_double)),
    "tacit_person_basis": _made(_new, _handle),
    "tacit_session_basis": _made(_new, _handle),
    "tacit_basis_free": (None, [_handle]),
    "tacit_basis_probability": (c.c_double, [_handle, _size]),
    "tacit_basis_expectation": (c.POINTER(Expectation), [_handle, _size]),
    "tacit_basis_level_text": (None, [_handle, _size, _size, _char, _size]),
    "tacit_needs_of": _made(_handle, c.POINTER(_size), _size, c.POINTER(c.c_int), c.POINTER(c.c_bool)),
    "tacit_change_of": _made(_handle, _size, c.POINTER(Change)),
    "tacit_rule_name": (_char, [c.c_int]),
    "tacit_rule_from_name": _made(c.POINTER(c.c_int), _char),
    "tacit_settled_name": (_char, [c.c_int]),
    "tacit_origin_name": (_char, [c.c_int]),
    "tacit_session_open": _made(_new, _handle, c.POINTER(ReleaseOptions)),
    "tacit_session_free": (None, [_handle]),
    "tacit_session_next": _made(_handle, c.POINTER(_size)),
    "tacit_session_answer": _made(_handle, _size, _char),
    "tacit_session_answer_unknown": _made(_handle, _size),
    "tacit_session_refuse": _made(_handle, _size),
    "tacit_session_narrow": _made(_handle, _size, _char, _char),
    "tacit_session_narrow_levels": _made(_handle, _size, c.POINTER(_size), _size),
    "tacit_session_undo": _made(_handle),
    "tacit_session_decision": _made(_handle, c.POINTER(Decision)),
    "tacit_session_outlook": _made(_handle, _size, c.POINTER(Outlook)),
    "tacit_session_events": (_size, [_handle]),
    "tacit_session_event": (c.POINTER(Event), [_handle, _size]),
    "tacit_session_rule": (c.c_int, [_handle]),
    "tacit_session_give_public": _made(_handle, _handle),
    "tacit_session_replay": _made(_handle, _handle),
    "tacit_session_state_size": (_size, [_handle]),
    "tacit_session_save": _made(_handle, _char),
    "tacit_session_restore": _made(_handle, _char, _size),
    "tacit_session_restart": _made(_handle, c.POINTER(ReleaseOptions)),
    "tacit_receipt_stamp_now": _made(c.POINTER(ReceiptStamp)),
    "tacit_session_receipt": _made(_text, _handle, c.POINTER(ReceiptStamp), c.POINTER(c.c_bool)),
    "tacit_receipt_sign": _made(_text, _char, _char),
    "tacit_check_receipt_text": _made(c.POINTER(Check), _handle, _char, _size, _char),
    "tacit_audit_files": _made(_new, _handle, c.POINTER(_char), _size, c.POINTER(CsvOptions), c.POINTER(AuditOptions)),
    "tacit_audit_table": _made(_new, _handle, _handle, c.POINTER(AuditOptions)),
    "tacit_audit_free": (None, [_handle]),
    "tacit_audit_summary_get": (c.POINTER(AuditSummary), [_handle]),
    "tacit_audit_result_get": (c.POINTER(AuditResult), [_handle, _size]),
    "tacit_audit_people_get": (c.POINTER(AuditPeople), [_handle, _size]),
    "tacit_audit_sensitive_name": (_char, [_handle, _size]),
    "tacit_audit_class": (_char, [_handle, _size]),
    "tacit_audit_label": (_char, [_handle]),
    "tacit_audit_json_about": _made(_text, _handle, c.POINTER(AuditProvenance)),
    "tacit_audit_html": _made(_text, _handle, c.POINTER(AuditProvenance)),
    "tacit_audit_partial": _made(_text, _handle, c.POINTER(AuditProvenance)),
    "tacit_audit_merge_texts": _made(_new, c.POINTER(_char), c.POINTER(_size), _size),
    "tacit_report_check": _made(c.POINTER(AuditProvenance)),
    "tacit_necessity_html": _made(_text, _char, _char),
    "tacit_text_free": (None, [c.c_void_p]),
}
TRAIN: Dict[str, Tuple[Any, List[Any]]] = {
    "tacit_fit": _made(_new, _handle, _handle, c.POINTER(FitOptions)),
    "tacit_necessity_run": _made(_new, _handle, _handle, c.POINTER(NecessityOptions)),
    "tacit_necessity_free": (None, [_handle]),
    "tacit_necessity_json": _made(_text, _handle, _char),
}
IMPORT: Dict[str, Tuple[Any, List[Any]]] = {
    "tacit_import_parse": _made(_new, _char, _size, _handle, _handle, c.POINTER(ImportOptions)),
}
