"""Classifiers of other libraries, as Tacit's models.

Each function takes a fitted classifier and people, makes a description of the classifier in a format that ``tacit import``
reads as well (docs/FORMATS.md, "Classifier"), or takes the library's own, and compares the labels afterwards: a model that
decides one of the people differently is an error, not a model.
"""

from ._lightgbm import from_lightgbm
from ._sklearn import describe, from_sklearn
from ._torch import from_torch
from ._xgboost import from_xgboost

__all__ = ["describe", "from_lightgbm", "from_sklearn", "from_torch", "from_xgboost"]
