"""Documents are read exactly and refused with their line."""

from __future__ import annotations

import io
import json

import pytest

from dtmodel import units
from dtmodel.documents import read_documents
from dtmodel.errors import InputError


def read(tmp_path, text, name="file.json"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return list(read_documents(str(path)))


def test_one_object_over_many_lines(tmp_path):
    (document,) = read(tmp_path, json.dumps({"a": 1}, indent=2))
    assert (document.content, document.line) == ({"a": 1}, 1)


def test_a_list_of_objects(tmp_path):
    assert [d.content for d in read(tmp_path, '[{"a": 1}, {"a": 2}]')] == [{"a": 1}, {"a": 2}]


def test_json_lines_know_their_numbers(tmp_path):
    assert [d.line for d in read(tmp_path, '{"a": 1}\n\n{"a": 2}\n')] == [1, 3]


def test_decimals_stay_exact_in_json_and_toml(tmp_path):
    for document in (*read(tmp_path, '{"a": 0.1}'), *read(tmp_path, "a = 0.1", "file.toml")):
        assert units.exact(document.content["a"], "a") == units.exact("1/10", "a")


def test_standard_input_is_a_dash(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO('{"a": 1}\n{"a": 2}\n'))
    assert [d.content["a"] for d in read_documents("-")] == [1, 2]


def test_the_lines_before_a_bad_one_are_not_lost(tmp_path):
    path = tmp_path / "many.jsonl"
    path.write_text('{"a": 1}\n' * 500 + '{"a": \n' + '{"a": 2}\n', encoding="utf-8")
    documents = read_documents(str(path))
    assert [next(documents).line for _ in range(500)][-1] == 500
    with pytest.raises(InputError, match="line 501"):
        next(documents)


@pytest.mark.parametrize("text", ["", "  \n", "{", '{"a": 1} x', "[1]", "3", '{"a": 1}\n[2]'])
def test_malformed_json_is_refused(tmp_path, text):
    with pytest.raises(InputError):
        read(tmp_path, text)


@pytest.mark.parametrize("text", ["", "a = ", "a = 1\na = 2"])
def test_malformed_toml_is_refused(tmp_path, text):
    with pytest.raises(InputError):
        read(tmp_path, text, "file.toml")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="readable file"):
        list(read_documents(str(tmp_path / "none.json")))


def test_a_file_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "binary.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="UTF-8"):
        list(read_documents(str(path)))
