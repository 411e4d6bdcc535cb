#!/usr/bin/python3
"""Writes tests/golden/described: classifiers of scikit-learn and XGBoost behind pipelines, as descriptions, with people and
the labels that the library itself gives to them ("said").

Made with scikit-learn 1.2.1 and XGBoost 1.7.4:  PYTHONPATH=python TACIT_LIBRARY=build/release/src tests/golden/make_described.py
"""
import os
import warnings

import numpy as np
import pandas as pd
import xgboost
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from tacit.convert import describe

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "described")
warnings.filterwarnings("ignore")


def people(n=300):
    rng = np.random.default_rng(7)
    X = pd.DataFrame({"age": rng.integers(18, 80, n), "income": np.round(rng.normal(3000, 900, n), 2),
                      "gain": rng.integers(-2, 3, n), "rooms": rng.integers(1, 5, n),
                      "housing": rng.choice(["own", "rent", "family"], n)})
    score = (X.age / 20 + X.income / 1000 + (X.housing == "own") * 1.5 + X.gain * 0.4 + (X.rooms == 2)
             + rng.normal(0, 0.5, n))
    X.loc[rng.random(n) < 0.1, "income"] = np.nan
    X.loc[rng.random(n) < 0.1, "housing"] = np.nan
    return X, (score > 6.5).astype(int), np.digitize(score, [6, 7.5])


def front(sparse=0.0):
    return ColumnTransformer([
        ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["age", "income"]),
        ("rooms", OneHotEncoder(drop="first"), ["rooms"]),
        ("texts", make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")),
         ["housing"])], remainder="passthrough", sparse_threshold=sparse)


def codes():
    return ColumnTransformer([("codes", OrdinalEncoder(), ["rooms", "housing"])], remainder="passthrough")


def main():
    X, two, three = people()
    made = {
        "logistic": (make_pipeline(front(), LogisticRegression()), two),
        "network": (make_pipeline(front(), MLPClassifier((5, 3), max_iter=200, random_state=1)), two),
        "network_three": (make_pipeline(front(), MLPClassifier((4,), max_iter=200, random_state=1)), three),
        "forest": (make_pipeline(front(), RandomForestClassifier(5, max_depth=4, random_state=1)), two),
        "forest_three": (make_pipeline(front(), RandomForestClassifier(4, max_depth=4, random_state=1)), three),
        "gradient": (make_pipeline(front(), GradientBoostingClassifier(n_estimators=6, random_state=1)), two),
        "hist": (make_pipeline(codes(), HistGradientBoostingClassifier(max_iter=5, categorical_features=[0, 1])), two),
        "xgboost": (make_pipeline(front(), xgboost.XGBClassifier(n_estimators=5, max_depth=3, n_jobs=1)), two),
        "xgboost_sparse": (make_pipeline(front(1.0), xgboost.XGBClassifier(n_estimators=5, max_depth=3, n_jobs=1)),
                           three)}
    os.makedirs(FOLDER, exist_ok=True)
    for name, (clf, y) in made.items():
        clf.fit(X, y)
        with open(os.path.join(FOLDER, name + ".json"), "wb") as file:
            file.write(describe(clf, list(X.columns))[0] + b"\n")
        X.assign(outcome=y, said=clf.predict(X)).to_csv(os.path.join(FOLDER, name + ".csv"), index=False)
    with open(os.path.join(FOLDER, "models.txt"), "w", encoding="ascii") as file:
        file.write("".join(name + "\n" for name in made))


if __name__ == "__main__":
    main()
