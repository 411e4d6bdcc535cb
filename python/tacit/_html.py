"""What notebooks show: the main figures of an audit, the first people of it, a model."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Dict, Optional, Sequence

if TYPE_CHECKING:
    from ._audit import Audit
    from ._model import Model
    from ._people import PerPerson

# Inline, because notebooks strip sheets of style; colours follow those of the notebook, light or dark.
_TABLE = "border-collapse:collapse;margin:.5em 0 1em"
_CELL = "padding:.25em .9em .25em 0;text-align:%s;border-bottom:1px solid rgba(128,128,128,.3)"
_BAR = ("display:inline-block;height:.7em;width:%.1fem;background:#3b6fb6;border-radius:2px;"
        "vertical-align:baseline;margin-right:.4em")
_QUIET = "opacity:.75;font-size:90%"


def _share(value: Optional[float], digits: int = 1) -> str:
    return "–" if value is None else "%.*f\u00a0%%" % (digits, 100 * value)


def _number(value: Optional[float], digits: int = 2) -> str:
    return "–" if value is None else "%.*f" % (digits, value)


def _count(value: int) -> str:
    return format(value, ",")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Cells are HTML already; the first `left` columns are texts."""
    def cells(tag: str, row: Sequence[str]) -> str:
        return "".join('<%s style="%s">%s</%s>' % (tag, _CELL % ("left" if i < left else "right"), cell, tag)
                       for i, cell in enumerate(row))
    return '<table style="%s"><thead><tr>%s</tr></thead><tbody>%s</tbody></table>' % (
        _TABLE, cells("th", head), "".join("<tr>%s</tr>" % cells("td", row) for row in rows))


def _promises(data: Dict[str, Any]) -> str:
    n = len(data["sensitive"])
    rows = [["%g" % result["delta"], "%s of %d" % (_number(result["mean_asked"]), n), _share(result["share_asked"]),
             _share(result["none_asked"]), _share(result["fidelity"], 2), _share(result["accuracy"]),
             _share(result["failure"]["observed"], 2), escape(result["failure"]["state"])]
            for result in data["results"]]
    return _table(["δ", "asked on average", "share", "asked nothing", "same decision", "accuracy", "failed", "promise"],
                  rows)


def _remarks(data: Dict[str, Any]) -> str:
    """So few people that figures tell about single ones; labels that a promise fails, though it is kept over all; a promise
    that asks for more than proofs do."""
    limit = (data.get("upper_limit") or {}).get("mean_asked")
    lines = ["So few people that these figures can tell about single ones."] if data.get("few_people") else []
    for result in data["results"]:
        for label in result["failure"].get("by_label") or ():
            if label["fails"]:
                lines.append("δ = %g does not hold for everybody: of %s people settled early who would be decided “%s” "
                             "with everything known, %s were decided otherwise."
                             % (result["delta"], _count(label["people"]), escape(label["label"]), _count(label["failed"])))
        if limit is not None and result["mean_asked"] is not None and result["mean_asked"] > limit:
            lines.append("δ = %g asks for more than δ = 0, which keeps every promise." % result["delta"])
    return "<ul>%s</ul>" % "".join("<li>%s</li>" % line for line in lines) if lines else ""


def _attributes(data: Dict[str, Any]) -> str:
    """How often each attribute was asked for, at the first delta."""
    result = data["results"][0]
    asked = sorted(result["asked"].items(), key=lambda item: -float(item[1]))
    rows = [[escape(name), '<span style="%s"></span>%s' % (_BAR % (8 * share), _share(share))] for name, share in asked]
    return _table(["asked for at δ = %g" % result["delta"], "of all people"], rows, left=2)


def _groups(grouping: Dict[str, Any]) -> str:
    if not grouping["list"]:
        return ""
    first = [(group, group["results"][0]) for group in grouping["list"]]
    rows = [[escape(group["name"]), _count(group["people"]), _number(result["mean_asked"]),
             _share(result["none_asked"]), _share(result["fidelity"], 2), _share(result["accuracy"])]
            for group, result in first]
    return _table(["by %s, at δ = %g" % (escape(grouping["name"]), first[0][1]["delta"]), "people", "asked",
                   "asked nothing", "same decision", "accuracy"], rows)


def _sentence(data: Dict[str, Any]) -> str:
    first = data["results"][0]
    n = len(data["sensitive"])
    sure = "proven" if first["delta"] == 0 else "settled with probability %s" % _share(1 - first["delta"])
    return ("<b>Of %d sensitive attributes, people are asked for %s on average</b> before their decision is %s."
            % (n, _number(first["mean_asked"]), sure))


def audit_html(audit: "Audit") -> str:
    """An audit in a notebook."""
    data = audit.data
    baseline = data.get("baseline") or {}
    said = ["%s %s" % (_count(data["people"]), "person" if data["people"] == 1 else "people"),
            "decided: %s" % escape(str(data["label"]["name"])),
            "known without asking: %s" % (escape(", ".join(data["public"])) or "nothing")]
    if baseline.get("accuracy") is not None:
        said.append("accuracy with everything known: %s" % _share(baseline["accuracy"]))
    if data.get("opt"):
        opt = data["opt"]
        sample = " (a sample of %s people, standard error %.3f)" % (
            _count(opt["people"]), opt["standard_error"]) if opt.get("standard_error") is not None else ""
        said.append("smallest possible: %s%s" % (_number(opt["mean_asked"]), sample))
    groups = "".join(_groups(grouping) for grouping in data.get("groupings", ()))
    return '<div class="tacit-audit"><p style="margin:.3em 0">%s</p><p style="margin:.3em 0;%s">%s</p>%s%s%s%s</div>' % (
        _sentence(data), _QUIET, " · ".join(said), _promises(data), _remarks(data), _attributes(data), groups)


def people_html(people: "PerPerson", shown: int) -> str:
    """The first people of an audit."""
    rows = []
    for i in range(min(shown, len(people))):
        rows.append([str(int(people.row[i])), escape(people.classes[int(people.label[i])]),
                     escape(people.settled_names[int(people.settled[i])]),
                     escape(", ".join(people.asked_names(i))) or "–", str(int(people.asked[i])),
                     _number(float(people.probability[i]), 4)])
    more = len(people) - len(rows)
    return '<div class="tacit-people">%s<p style="margin:.3em 0;%s">%s people at δ = %g%s</p></div>' % (
        _table(["row", "label", "settled", "asked for", "asked", "probability"], rows, left=4), _QUIET,
        _count(len(people)), people.delta, "; the others are in the arrays" if more > 0 else "")


def model_html(model: "Model") -> str:
    """A model."""
    info = model.info
    rows = [[escape(a.name), "sensitive" if a.sensitive else "public", a.type,
             escape(", ".join(a.levels[:6])) + (" …" if len(a.levels) > 6 else "") if a.type == "category"
             else "%g to %g" % (a.min or 0, a.max or 0)] for a in model.attributes]
    return '<div class="tacit-model"><p style="margin:.3em 0"><b>%s</b> decides %s: %s</p>%s</div>' % (
        escape(info["kind"]), escape(model.label), escape(", ".join(model.classes)),
        _table(["attribute", "role", "type", "values"], rows, left=4))
