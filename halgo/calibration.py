"""Calibration: scores made probabilities for one domain, and the cut points that belong there.

Made from labelled rows by `halgo.golden.calibrate`, kept as a small JSON file, and taken by
`Config(calibration=...)`. A root module, since settings hold one; fitting one is a later stage.
"""

from __future__ import annotations

import json
import math
import sys
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

from halgo import disk
from halgo.errors import ConfigError
from halgo.printable import printable
from halgo.settings import require_known, shown

SCHEMA = 1
LARGEST_BYTES = 10_000_000  # of a file; a calibration of a thousand points has 50,000
# A score of exactly 0 or 1 has no log odds; nothing is surer than this.
SUREST = 0.999
# Keys of the file; "evidence" is what `halgo calibrate` writes beside.
_KEYS = ("schema", "name", "threshold", "support_threshold", "curve", "models", "rows", "made",
         "evidence")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Calibration:
    """A rising curve from score to probability, two cut points, and the models they belong to.

    name: the domain. threshold, support_threshold: as in `Config`, on the calibrated scale.
    The curve is 1 / (1 + exp(-(slope * log odds of the score + intercept))) with slope > 0 (Platt
    1999), or, where `points` holds (score, probability) pairs, straight lines between them.
    embedder, entailment, fusion: names as in a report's engine; entailment None where none ran.
    rows: how many labelled rows it was made of. made: a date or note of the caller's, or "".
    Raises ConfigError for a curve that falls or a value out of range.
    """

    name: str
    threshold: float = 0.30
    support_threshold: float = 0.65
    slope: float = 1.0
    intercept: float = 0.0
    points: tuple[tuple[float, float], ...] = ()
    embedder: str = ""
    entailment: str | None = None
    fusion: str = ""
    rows: int = 0
    made: str = ""

    def __post_init__(self) -> None:
        for name in ("name", "embedder", "fusion", "made"):
            if not isinstance(getattr(self, name), str):
                raise _wrong(name, "text", getattr(self, name))
        if self.entailment is not None and not isinstance(self.entailment, str):
            raise _wrong("entailment", "text or null", self.entailment)
        if not isinstance(self.rows, int) or isinstance(self.rows, bool) or self.rows < 0:
            raise _wrong("rows", "a whole number from 0 up", self.rows)
        for name in ("threshold", "support_threshold"):
            if not _number(getattr(self, name)) or not 0 <= getattr(self, name) <= 1:
                raise _wrong(name, "a number from 0 to 1", getattr(self, name))
        if self.threshold > self.support_threshold:
            raise ConfigError("a calibration's threshold must not be above its support_threshold")
        if not _number(self.slope) or self.slope <= 0:
            raise _wrong("slope", "a number above 0, so that the curve rises", self.slope)
        if not _number(self.intercept):
            raise _wrong("intercept", "a number", self.intercept)
        object.__setattr__(self, "points", _points(self.points))

    def __call__(self, score: float) -> float:
        """The probability, in [0, 1], that a claim of this score is supported; never falls."""
        if not self.points:
            logit = self.slope * log_odds(score) + self.intercept
            return 1.0 / (1.0 + math.exp(-max(-500.0, min(500.0, logit))))
        at = bisect_left(self.points, (score, -1.0))
        if at == 0:
            return self.points[0][1]
        if at == len(self.points):
            return self.points[-1][1]
        (x0, y0), (x1, y1) = self.points[at - 1 : at + 1]
        return y0 + (y1 - y0) * (score - x0) / (x1 - x0)

    def score_of(self, probability: float) -> float:
        """The least score whose probability is at least this; infinite where none is.

        A hair below, so that the very score a cut was made of reaches it.
        """
        wanted = probability - 1e-9
        if self(0.0) >= wanted:
            return 0.0
        if self(1.0) < wanted:
            return math.inf
        if self.points:
            for (x0, y0), (x1, y1) in pairwise(self.points):
                if y0 < wanted <= y1:
                    return x0 + (wanted - y0) / (y1 - y0) * (x1 - x0) - 1e-9
        logit = (math.log(wanted / (1.0 - wanted)) - self.intercept) / self.slope
        return 1.0 / (1.0 + math.exp(-logit)) - 1e-9

    def mismatches(self, embedder: str, entailment: str | None, fusion: str) -> list[str]:
        """A warning for each model that is not the one this was made with; empty when all are."""
        used = (
            ("embedder", self.embedder, embedder),
            ("entailment model", self.entailment, entailment),
            ("score", self.fusion, fusion),
        )
        return [
            f"calibration {self.name!r} was made with the {what} {mine or 'none'!r}, this check "
            f"ran with {theirs or 'none'!r}: its probabilities and cut points may be off; "
            'calibrate again (halgo calibrate), or drop "calibration" from the settings'
            for what, mine, theirs in used
            if mine != theirs
        ]

    # -- as JSON --------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON and for `from_dict`."""
        curve: dict[str, Any] = {"slope": self.slope, "intercept": self.intercept}
        if self.points:
            curve = {"points": [list(point) for point in self.points]}
        return {
            "schema": SCHEMA,
            "name": self.name,
            "threshold": self.threshold,
            "support_threshold": self.support_threshold,
            "curve": curve,
            "models": {
                "embedder": self.embedder,
                "entailment": self.entailment,
                "fusion": self.fusion,
            },
            "rows": self.rows,
            "made": self.made,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], where: str = "calibration") -> Self:
        """A Calibration of plain values; `evidence`, what it rests on, is left alone.

        Raises ConfigError that names `where` and the key that is missing, wrong or unknown.
        """
        if not isinstance(values, Mapping):
            raise ConfigError(f"{where}: a calibration is a JSON object, not {shown(values)}")
        if values.get("schema") != SCHEMA:
            raise ConfigError(
                f"{where}: not a calibration, or one of a newer halgo: schema is "
                f"{shown(values.get('schema'))}, here it is {SCHEMA}"
            )
        curve, models = values.get("curve"), values.get("models")
        for name, part in (("curve", curve), ("models", models)):
            if not isinstance(part, Mapping):
                raise ConfigError(f"{where}: {name} must be a JSON object, not {shown(part)}")
        assert isinstance(curve, Mapping) and isinstance(models, Mapping)
        try:
            require_known(values, _KEYS)
            require_known(curve, ("slope", "intercept", "points"))
            require_known(models, ("embedder", "entailment", "fusion"))
            return cls(
                name=values["name"],
                threshold=values["threshold"],
                support_threshold=values["support_threshold"],
                embedder=models["embedder"],
                entailment=models["entailment"],
                fusion=models["fusion"],
                rows=values.get("rows", 0),
                made=values.get("made", ""),
                **(
                    {"points": curve["points"]}
                    if "points" in curve
                    else {"slope": curve["slope"], "intercept": curve["intercept"]}
                ),
            )
        except KeyError as error:
            raise ConfigError(f"{where}: {error.args[0]!r} is missing") from None
        except ConfigError as error:
            raise ConfigError(f"{where}: {error}") from None

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """A Calibration of a file that `halgo calibrate` wrote. Raises ConfigError naming it."""
        where = printable(str(path))
        try:
            values = json.loads(disk.read(path, LARGEST_BYTES).decode("utf-8-sig"))
        except (OSError, ValueError, RecursionError) as error:
            what = (isinstance(error, OSError) and error.strerror) or error
            if str(path).endswith(".toml"):
                what = "it is TOML, and a calibration is JSON; Config.from_toml reads settings"
            raise ConfigError(f"cannot read a calibration from {where}: {what}") from error
        return cls.from_dict(values, where)


def log_odds(score: float) -> float:
    """Log odds of a score, held back from the ends by `SUREST`."""
    held = min(max(score, 1.0 - SUREST), SUREST)
    return math.log(held / (1.0 - held))


def _number(value: Any) -> bool:
    # Compared, not converted: JSON has whole numbers that no float can hold.
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and abs(value) <= sys.float_info.max


def _points(given: Any) -> tuple[tuple[float, float], ...]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise _wrong("points", "a list of [score, probability]", given)
    points = []
    for point in given:
        pair = tuple(point) if isinstance(point, (list, tuple)) else ()
        if len(pair) != 2 or not all(_number(value) and 0 <= value <= 1 for value in pair):
            raise _wrong("points", "pairs of numbers from 0 to 1", point)
        points.append((float(pair[0]), float(pair[1])))
    if any(a[0] >= b[0] or a[1] > b[1] for a, b in pairwise(points)):
        raise ConfigError("a calibration's points must rise: each score above the last, and no "
                          "probability below it")  # fmt: skip
    return tuple(points)


def _wrong(name: str, wanted: str, value: Any) -> ConfigError:
    return ConfigError(f"a calibration's {name} must be {wanted}, not {shown(value)}")
