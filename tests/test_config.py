"""Settings: what is allowed, and what a wrong one says."""

import json
import pickle
from dataclasses import fields, replace
from fractions import Fraction
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.main import get_command

from halgo import Config, ConfigError
from halgo.adapters import cli
from halgo.config import OPTIONS


def test_the_defaults_are_the_published_cut_points() -> None:
    assert (Config().threshold, Config().support_threshold) == (0.30, 0.65)


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf"), "0.3", None, True])
def test_a_threshold_outside_0_to_1_is_refused_with_its_value(value: object) -> None:
    with pytest.raises(ConfigError, match="threshold must be a number from 0 to 1"):
        Config(threshold=value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [np.float32(0.5), np.float64(0.5), Fraction(1, 2)])
def test_a_threshold_may_be_a_number_of_another_library(value: Any) -> None:
    config = Config(threshold=value, top_k=np.int64(3))  # type: ignore[arg-type]
    assert config == Config(threshold=0.5, top_k=3)
    assert json.loads(json.dumps(config.to_dict()))["threshold"] == 0.5
    assert (type(config.threshold), type(config.top_k)) == (float, int)
    with pytest.raises(ConfigError, match=r"not np\.float32"):
        Config(threshold=np.float32("nan"))  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="threshold must be a number"):
        Config(threshold=np.bool_(True))  # type: ignore[arg-type]


def test_thresholds_out_of_order_are_refused_with_what_to_do() -> None:
    with pytest.raises(ConfigError, match=r"threshold \(0.8\) must not be above"):
        Config(threshold=0.8, support_threshold=0.5)
    with pytest.raises(ConfigError, match="Lower threshold too, or raise support_threshold"):
        Config(support_threshold=0.2)


@pytest.mark.parametrize(
    "changes",
    [
        {"top_k": 0},
        {"top_k": 2.5},
        {"sentences_per_chunk": 0},
        {"sentence_overlap": 2},
        {"granularity": "word"},
        {"mode": "new"},
        {"detectors": ("numbers", "astrology")},
    ],
)
def test_a_setting_out_of_range_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        Config(**changes)  # type: ignore[arg-type]


def test_an_unknown_setting_is_named_and_the_known_ones_listed() -> None:
    with pytest.raises(ConfigError, match=r"unknown setting 'treshold'.*threshold"):
        Config.from_dict({"treshold": 0.3})


def test_the_constructor_names_the_nearest_setting_too() -> None:
    with pytest.raises(ConfigError, match=r"'treshold' \(the nearest is 'threshold'\)"):
        Config(treshold=0.3)  # type: ignore[call-arg]
    config = Config(top_k=7)
    assert pickle.loads(pickle.dumps(config)) == replace(Config(), top_k=7) == config
    assert list(signature(Config).parameters) == [field.name for field in fields(Config)]


def test_settings_survive_a_round_trip() -> None:
    config = Config.classic(top_k=3, detectors=("numbers",))
    assert Config.from_dict(config.to_dict()) == config


def test_settings_come_from_a_toml_file(tmp_path: Path) -> None:
    path = tmp_path / "halgo.toml"
    path.write_text('[halgo]\nthreshold = 0.4\ngranularity = "atomic"\n', encoding="utf-8")
    assert Config.from_toml(path) == Config(threshold=0.4, granularity="atomic")
    path.write_text("threshold = \n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"halgo\.toml"):
        Config.from_toml(path)


def test_a_calibration_given_as_settings_and_settings_given_as_one_are_told(
    tmp_path: Path,
) -> None:
    (tmp_path / "mine.json").write_text('{"schema": 1}', encoding="utf-8")
    (tmp_path / "halgo.toml").write_text("threshold = 0.2\n", encoding="utf-8")
    with pytest.raises(
        ConfigError, match=r'it is JSON.*write calibration = "mine\.json" in a TOML'
    ):
        Config.from_toml(tmp_path / "mine.json")
    with pytest.raises(ConfigError, match=r"it is TOML.*Config\.from_toml"):
        Config.calibrated(tmp_path / "halgo.toml")


@pytest.mark.parametrize("table", ["policy", "tenants.acme", "judge", "verification"])
def test_a_file_with_tables_of_others_alone_gives_the_defaults(tmp_path: Path, table: str) -> None:
    path = tmp_path / "halgo.toml"
    path.write_text(f"[{table}]\n")
    assert Config.from_toml(path) == Config()


def test_a_pyproject_holds_settings_in_its_own_table(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text("[project]\nname = 'x'\n[tool.halgo]\ntop_k = 3\n", encoding="utf-8")
    assert Config.from_toml(path).top_k == 3
    path.write_text("[tool.halgo]\nfail_on = 'x'\n", encoding="utf-8")
    with pytest.raises(
        ConfigError, match=r"pyproject.toml, \[tool.halgo\]: 'fail_on' is no setting"
    ):
        Config.from_toml(path)
    path.write_text("[tool.ruff]\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"it has no table \[tool.halgo\]"):
        Config.from_toml(path)


def test_the_options_that_are_no_settings_are_those_of_the_command_line() -> None:
    check = get_command(cli.app).commands["check"]  # type: ignore[attr-defined]
    told = {name for option in check.params for name in option.opts if name.startswith("--")}
    settings = {f"--{field.name.replace('_', '-')}" for field in fields(Config)}
    assert {f"--{name}" for name in OPTIONS} == told - settings
