"""What the package accepts and prints is what its JSON Schemas say."""

import json
import tomllib
from importlib.resources import files
from random import Random

import pytest
from fluid_cases import EXAMPLE
from jsonschema import Draft202012Validator, ValidationError

from dtmodel import InputError
from dtmodel.base import schemas
from dtmodel.base.schemas import schema_text
from dtmodel.fluid import answer
from dtmodel.packet import ALGORITHMS, trace
from dtmodel.policies import find
from dtmodel.strategies import trace_generator
from dtmodel.studies.sweeps.running import read_plan

SCHEMAS = {path.name: json.loads(path.read_text()) for path in files("dtmodel").joinpath("schemas").iterdir()}


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_every_schema_is_valid_and_carries_a_version(name):
    Draft202012Validator.check_schema(SCHEMAS[name])
    assert SCHEMAS[name]["$id"].split(":")[-1].isdigit()


@pytest.mark.parametrize(
    "policy",
    [
        {"name": "dt", "alpha": 0.5},
        {"name": "edt", "alpha": 1, "cn2": "1/2", "tm1": None, "tm2": "3"},
        {"name": "static", "sizes": [3, 3]},
    ],
)
def test_scenarios_and_their_answers_follow_the_schemas(policy):
    scenario = EXAMPLE | {"policy": policy}
    Draft202012Validator(SCHEMAS["scenario.json"]).validate(scenario)
    answers = Draft202012Validator(SCHEMAS["scenario-answer.json"])
    answers.validate(answer(scenario))
    floats = answer(scenario, arithmetic="float")
    answers.validate(floats)
    assert not answers.is_valid({key: value for key, value in floats.items() if key != "error_bound"})
    assert not answers.is_valid(floats | {"arithmetic": "exact"})


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_traces_and_their_answers_follow_the_schemas(algorithm):
    schema = SCHEMAS[f"trace-{algorithm}.json"]
    answers = Draft202012Validator({**schema["$defs"]["answer"], "$defs": schema["$defs"]})
    for seed in range(20):
        request = trace_generator.draw_trace(Random(seed), algorithm)
        Draft202012Validator(schema).validate(request)
        answers.validate(trace(request))
    if algorithm in ("losspass", "l2bm", "edt"):
        readings = trace_generator.OPTIONS[algorithm]["reading"]
        assert schema["properties"]["reading"]["enum"] == list(readings)


@pytest.mark.parametrize("change", [{"extra": 1}, {"policy": {"name": "other"}}, {"queues": 3}, {"until": None}])
def test_what_the_schema_refuses_the_reader_refuses(change):
    with pytest.raises(ValidationError):
        Draft202012Validator(SCHEMAS["scenario.json"]).validate(EXAMPLE | change)
    with pytest.raises(InputError):
        answer(EXAMPLE | change)


@pytest.mark.parametrize("schema", ["scenario.json", "derive.json"])
def test_a_schema_gives_each_policy_the_parameters_that_its_class_declares(schema):
    branches = SCHEMAS[schema]["properties"]["policy"]["oneOf"]
    declared = {branch["properties"]["name"]["const"]: list(branch["properties"])[1:] for branch in branches}
    assert len(declared) >= 7
    for name in declared.keys() - {"pools", "hierarchy"}:
        assert declared[name] == [parameter.name for parameter in find(name)[1].parameters]


@pytest.mark.parametrize(
    ("kind", "change"),
    [("scenario", {"statement": "edt.thm1"}), ("scenario", {"given": {}}), ("statement", {"seed": 1}),
     ("statement", {"policies": {"a": {"name": "dt"}}}), ("statement", {"other": 1})],
)  # fmt: skip
def test_a_sweep_of_one_kind_has_no_key_of_the_other(kind, change):
    document = tomllib.loads(files("dtmodel").joinpath("examples", f"sweep-{kind}.toml").read_text(encoding="utf-8"))
    validator = Draft202012Validator(SCHEMAS["sweep.json"])
    validator.validate(document)
    assert not validator.is_valid(document | change)
    with pytest.raises(InputError, match="keys"):
        read_plan(document | change)


def test_readers_take_their_keys_from_the_schemas(monkeypatch):
    schema = json.loads(schema_text("scenario"))
    del schema["properties"]["sample"]
    monkeypatch.setattr(schemas, "schema_text", {"scenario": json.dumps(schema)}.__getitem__)
    schemas.declared.cache_clear()
    with pytest.raises(InputError, match="one of the keys id, version, switch, policy, queues, until here"):
        answer(EXAMPLE | {"sample": [1]})
    monkeypatch.undo()
    schemas.declared.cache_clear()
    assert answer(EXAMPLE | {"sample": [1]})


@pytest.mark.parametrize("key", SCHEMAS["scenario.json"]["required"])
def test_a_required_key_that_is_missing_is_named(key):
    with pytest.raises(InputError) as caught:
        answer({name: value for name, value in EXAMPLE.items() if name != key})
    assert caught.value.field == key
