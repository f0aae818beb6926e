"""What the package accepts and prints is what its JSON Schemas say."""

import json
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator, ValidationError

from dtmodel import InputError
from dtmodel.fluid import answer
from dtmodel.packet.losspass import trace as losspass

SCHEMAS = {path.name: json.loads(path.read_text()) for path in files("dtmodel").joinpath("schemas").iterdir()}
SCENARIO = {
    "switch": {"ports": 2, "buffer": "6", "rate": "1"},
    "policy": {"name": "dt", "alpha": "1"},
    "queues": [{"arrivals": [["0", "3"], ["2", "0"]]}, {"arrivals": [["0", "2"]], "initial": "steady"}],
    "until": "4",
    "sample": ["1/2"],
}


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
    scenario = SCENARIO | {"policy": policy}
    Draft202012Validator(SCHEMAS["scenario.json"]).validate(scenario)
    answers = Draft202012Validator(SCHEMAS["scenario-answer.json"])
    answers.validate(answer(scenario))
    floats = answer(scenario, arithmetic="float")
    answers.validate(floats)
    assert not answers.is_valid({key: value for key, value in floats.items() if key != "error_bound"})
    assert not answers.is_valid(floats | {"arithmetic": "exact"})


@pytest.mark.parametrize("reading", ["intended", "literal", "droptail"])
def test_losspass_traces_and_their_answers_follow_the_schema(reading):
    schema = SCHEMAS["trace-losspass.json"]
    events = [
        ["arrive", 0, "large", 2],
        ["arrive", None, "small", "1"],
        ["arrive", 1, "small", 1],
        ["depart", 2, "any"],
    ]
    request = {
        "id": "a",
        "algorithm": "losspass",
        "reading": reading,
        "buffer": 3,
        "mark": {"port": 1},
        "events": events,
    }
    Draft202012Validator(schema).validate(request)
    Draft202012Validator({**schema["$defs"]["answer"], "$defs": schema["$defs"]}).validate(losspass.run_trace(request))


@pytest.mark.parametrize("change", [{"extra": 1}, {"policy": {"name": "other"}}, {"queues": 3}, {"until": None}])
def test_what_the_schema_refuses_the_reader_refuses(change):
    with pytest.raises(ValidationError):
        Draft202012Validator(SCHEMAS["scenario.json"]).validate(SCENARIO | change)
    with pytest.raises(InputError):
        answer(SCENARIO | change)
