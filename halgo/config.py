"""Config: every number a user may tune, its default and where the default comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import update_wrapper
from numbers import Integral
from pathlib import Path
from typing import Any, Self

from halgo.calibration import Calibration
from halgo.errors import ConfigError
from halgo.printable import printable
from halgo.settings import PYPROJECT, TABLES, is_number, read_settings, require_known, shown

DETECTORS = ("numbers", "dates", "terms", "negation", "arithmetic")
MOST = 1_000  # passages of a claim, sentences of a chunk

# What `halgo check` is told by options alone.
OPTIONS = (
    *("also", "assets", "audit", "baseline", "classic", "color", "config", "docs", "embedder"),
    *("entailment", "fail-on", "fail-on-warnings", "format", "gate", "index", "jobs", "output"),
    *("question", "stdin-jsonl", "tenant", "write-baseline"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Settings of a check; frozen, compared by value, kept in every report.

    threshold: lowest score at which evidence counts, in [0, 1]; 0.30 as first published.
    support_threshold: lowest score for SUPPORTED, in [threshold, 1]; 0.65 as first published.
    top_k: passages looked at per claim, 1 to 1,000; a few more where they lack words of it.
    sentences_per_chunk, sentence_overlap: the window that is embedded, and how many sentences it
        shares with the next; at most 1,000, and the overlap is smaller than the window.
    granularity: "sentence" checks whole sentences, "atomic" splits them at their clauses.
    detectors: families of rules, names of `DETECTORS`, in the order in which they run.
    cascade: whether claims that stand in the sources word for word go without the entailment model.
    mode: "default", or "classic" for the algorithm as first published (`Config.classic()`).
    calibration: makes probabilities of scores for one domain (`Config.calibrated`); the cut points
        are then on its scale. None in classic mode.
    negation_penalty, number_bonus: classic mode only; what a negation mismatch takes from the
        cosine and what agreeing numbers add, as first published.
    """

    threshold: float = 0.30
    support_threshold: float = 0.65
    top_k: int = 5
    sentences_per_chunk: int = 2
    sentence_overlap: int = 1
    granularity: str = "sentence"
    detectors: tuple[str, ...] = DETECTORS
    cascade: bool = True
    mode: str = "default"
    negation_penalty: float = 0.30
    number_bonus: float = 0.10
    calibration: Calibration | None = None

    def __new__(cls, *_: Any, **settings: Any) -> Self:
        """Raises ConfigError with the nearest setting for one that there is not."""
        require_known(settings, _names(cls), "setting")
        return object.__new__(cls)

    def __post_init__(self) -> None:
        for name in ("threshold", "support_threshold", "negation_penalty", "number_bonus"):
            value = getattr(self, name)
            if (
                not is_number(value) or not 0 <= value <= 1
            ):  # a NaN is not between two numbers either
                raise ConfigError(f"{name} must be a number from 0 to 1, not {shown(value)}")
            if type(value) not in (int, float):  # numpy's, say, which JSON does not take
                object.__setattr__(self, name, float(value))
        if self.threshold > self.support_threshold:
            raise ConfigError(
                f"threshold ({self.threshold}) must not be above support_threshold "
                f"({self.support_threshold}): weak support cannot ask for more than support. "
                "Lower threshold too, or raise support_threshold"
            )
        for name, least in (("top_k", 1), ("sentences_per_chunk", 1), ("sentence_overlap", 0)):
            value = getattr(self, name)
            whole = is_number(value) and isinstance(value, Integral)
            if not whole or not least <= value <= MOST:
                raise ConfigError(
                    f"{name} must be a whole number from {least} to {MOST:,}, not {shown(value)}"
                )
            object.__setattr__(self, name, int(value))
        if self.sentence_overlap >= self.sentences_per_chunk:
            raise ConfigError(
                f"sentence_overlap ({self.sentence_overlap}) must be smaller than "
                f"sentences_per_chunk ({self.sentences_per_chunk})"
            )
        for name, allowed in (
            ("granularity", ("sentence", "atomic")),
            ("mode", ("default", "classic")),
        ):
            if getattr(self, name) not in allowed:
                choices = " or ".join(map(repr, allowed))
                raise ConfigError(f"{name} must be {choices}, not {shown(getattr(self, name))}")
        if not isinstance(self.cascade, bool):
            raise ConfigError(f"cascade must be true or false, not {shown(self.cascade)}")
        if self.calibration is not None and not isinstance(self.calibration, Calibration):
            raise ConfigError(
                f"calibration must be a Calibration, not {shown(self.calibration)}; "
                "Config.calibrated(path) reads one"
            )
        if self.calibration is not None and self.mode == "classic":
            raise ConfigError("classic mode keeps the published scores; it takes no calibration")
        named = self.detectors
        if isinstance(named, (str, bytes, Mapping)) or not isinstance(named, Iterable):
            raise ConfigError(f"detectors must be a list of names, not {shown(named)}")
        object.__setattr__(self, "detectors", tuple(named))
        require_known(self.detectors, DETECTORS, "detector")
        if len(set(self.detectors)) < len(self.detectors):
            raise ConfigError(f"detectors must name each once, not {shown(self.detectors)}")

    @classmethod
    def classic(cls, **changes: Any) -> Self:
        """The algorithm as first published, for comparison (ARCHITECTURE section 5)."""
        return cls(**{"mode": "classic", **changes})

    @classmethod
    def calibrated(cls, calibration: Calibration | str | Path, **changes: Any) -> Self:
        """Cut points and probabilities of a calibration, or of the file that holds one.

        Raises ConfigError when the file cannot be read or is none.
        """
        if isinstance(calibration, (str, Path)):
            calibration = Calibration.load(calibration)
        if not isinstance(calibration, Calibration):
            raise ConfigError(f"a Calibration or the path of one, not {shown(calibration)}")
        own = {
            "threshold": calibration.threshold,
            "support_threshold": calibration.support_threshold,
        }
        return cls(**{"calibration": calibration, **own, **changes})

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """A Config from plain values. Raises ConfigError naming an unknown key.

        `calibration` is a mapping or a file's path; its cut points hold unless `values` has others.
        """
        if not isinstance(values, Mapping):
            raise ConfigError(f"settings must be a mapping of names to values, not {shown(values)}")
        require_known(values, _names(cls), "setting")
        given = values.get("calibration")
        if given is None:
            return cls(**values)
        if isinstance(given, Mapping):
            given = Calibration.from_dict(given)
        return cls.calibrated(given, **{k: v for k, v in values.items() if k != "calibration"})

    @classmethod
    def from_toml(cls, path: str | Path) -> Self:
        """A Config from a TOML file: its [halgo] table, or the whole file where it has none.

        A `calibration` named there is looked for beside the file. Beside [halgo] there may be the
        tables of gates, judges and verifications, and nothing else; a file with such tables
        alone gives the defaults. Of a pyproject.toml it is the table [tool.halgo]. Raises
        ConfigError with file, key and reason.
        """
        values = read_settings(path)
        if set(TABLES) & set(values):
            values.setdefault("halgo", {})
        named = "halgo" in values
        try:
            if named:
                outside = sorted(set(values) & set(_names(cls)))
                if outside:
                    raise ConfigError(
                        f"{outside[0]!r} stands outside the table [halgo]; move it into the table"
                    )
                _require_no_option(values)
                require_known(values, TABLES, "table")
            given = values["halgo"] if named else values
            if isinstance(given, dict):
                _require_no_option(given)
                require_known(given, (*_names(cls), *(() if named else TABLES)), "setting")
            if isinstance(given, dict) and isinstance(given.get("calibration"), str):
                given["calibration"] = Path(path).parent / given["calibration"]
            return cls.from_dict(given)
        except ConfigError as error:
            table = "[tool.halgo]" if Path(path).name == PYPROJECT else "[halgo]"
            where = f"{printable(str(path))}{f', {table}' if named else ''}"
            raise ConfigError(f"{where}: {error}") from error

    def with_(self, **changes: Any) -> Self:
        """A copy with some settings changed, checked again. ConfigError for an unknown one."""
        require_known(changes, _names(type(self)), "setting")
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON and for `from_dict`."""
        calibration = self.calibration and self.calibration.to_dict()
        return {**asdict(self), "detectors": list(self.detectors), "calibration": calibration}


# Help and editors show the settings.
update_wrapper(Config.__new__, Config.__init__, assigned=())


def _require_no_option(given: Mapping[str, Any]) -> None:
    """Raises ConfigError for what is said on the command line, not in its settings."""
    for key in sorted(given):
        option = key.replace("_", "-")
        if option in OPTIONS:
            raise ConfigError(
                f"{key!r} is no setting but an option of the command line; give --{option} there"
            )


def _names(kind: type[Config]) -> list[str]:
    return [field.name for field in fields(kind)]
