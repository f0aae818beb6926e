"""Documents are read exactly and refused with their line."""

import io
import json

import numpy as np
import pytest

from dtmodel.base import budgets, units
from dtmodel.base.documents import collected, identity, once, only_version_1, read_documents
from dtmodel.base.errors import BudgetError, InputError


def read(tmp_path, text, name="file.json"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return list(read_documents(str(path)))


def test_one_object_over_many_lines(tmp_path):
    (document,) = read(tmp_path, json.dumps({"a": 1}, indent=2))
    assert (document.content, document.number) == ({"a": 1}, 1)


def test_a_list_of_objects(tmp_path):
    assert [d.content for d in read(tmp_path, '[{"a": 1}, {"a": 2}]')] == [{"a": 1}, {"a": 2}]


def test_json_lines_know_their_numbers(tmp_path):
    assert [d.number for d in read(tmp_path, '{"a": 1}\n\n{"a": 2}\n')] == [1, 3]


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
    assert [next(documents).number for _ in range(500)][-1] == 500
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


@pytest.mark.parametrize(
    "text",
    [
        f"[{'a.' * 200}a]", f"{'a . ' * 200}a = 1",
        f"x = 1\ny = {{{'a.' * 200}a = 1}}", f"{chr(34)}={chr(34)}.".join(" " * 200),
        f"{chr(34)}\u2028{chr(34)}." * 200 + "a = 1",
        f"a = {'[' * 9999}{']' * 9999}", f"a = {'{a = ' * 9999}1{'}' * 9999}",
    ],
)  # fmt: skip
def test_toml_of_many_levels_is_refused_before_it_is_read(tmp_path, text):
    with pytest.raises(InputError, match="deeply nested TOML"):
        read(tmp_path, text, "file.toml")


def test_many_points_in_a_line_of_toml_are_not_many_levels(tmp_path):
    text = f"a = [{'0.5, ' * 300}]\nb = {chr(34)}{'x.' * 300}{chr(34)}\n[{'.'.join('c' * 50)}]\n"
    assert len(read(tmp_path, text, "file.toml")[0].content["a"]) == 300


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="readable file"):
        list(read_documents(str(tmp_path / "none.json")))


def test_a_file_that_is_not_text_is_refused(tmp_path):
    path = tmp_path / "binary.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="UTF-8"):
        list(read_documents(str(path)))


def named(tmp_path, text, name="f.json"):
    with pytest.raises(InputError) as error:
        read(tmp_path, text, name)
    return error.value.field.removeprefix(f"{tmp_path}/")


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{"a": 1,}\n{"b": 2}\n', "line 1"),
        ('{"a": 1\n{"b": 2}\n', "line 1"),
        ('\n\n{"a": 1\n{"b": 2}\n', "line 3"),
        ('{"a": 1}\n\n{"b": \n{"c": 3}\n', "line 3"),
        ('{"a": "x\x0by"}\n{"b"}\n', "line 1"),
        ('{"a": "x\u2028\x85y"}\n{"b": 1}\n{"c"}\n', "line 3"),
        ('{\n "a": 1,\n "b": [1,\n  2\n  3]\n}\n', "line 5"),
        ('{"queues": [\n{"a": 1}\n{"b": 2}\n]}', "line 3"),
        ('[\n{"a": 1}\n{"b": 2}\n]', "line 3"),
        ('[{"a": 1}]\n\n{"b": 2}', "line 3"),
        ('{"a": 1}\n[2]', "line 2"),
        ('{"a": 1}\n{"b": 1, "b": 2}', "line 2: b"),
    ],
)
def test_the_bad_line_is_named(tmp_path, text, where):
    assert named(tmp_path, text) == f"f.json, {where}"


def test_an_element_of_a_list_is_named_by_its_index(tmp_path):
    assert named(tmp_path, '[{"a": 1},\n{"b": 2},\n3]') == "f.json[2]"
    documents = read(tmp_path, '[{"a": 1}, {"b": 2}]', "f.json")
    assert [(d.number, d.where.removeprefix(f"{tmp_path}/")) for d in documents] == [(0, "f.json[0]"), (1, "f.json[1]")]


def test_a_whole_file_is_named_without_a_line(tmp_path):
    for text, name in (('{\n"a": 1}', "f.json"), ("a = 1", "f.toml")):
        (document,) = read(tmp_path, text, name)
        assert (document.where.removeprefix(f"{tmp_path}/"), document.number) == (name, 1)
    assert named(tmp_path, '{\n"a": 1,\n"a": 2}') == "f.json: a"


def test_many_keys_are_read_in_time(tmp_path):
    (document,) = read(tmp_path, json.dumps({str(n): n for n in range(100_000)}))
    assert len(document.content) == 100_000


def test_a_name_that_no_file_can_have_is_refused():
    with pytest.raises(InputError, match="readable file"):
        list(read_documents("a\x00b.json"))


@pytest.mark.parametrize("name", ["a", "", "[bold]", "ä", 0, -3, 10**30, np.int64(3), np.str_("a")])
def test_an_id_is_a_word_or_a_whole_number(name):
    read_id = identity({"id": name})
    assert read_id == name
    assert type(read_id) in (str, int)


@pytest.mark.parametrize(
    "name", [None, True, 1.5, [], {}, "a\n", "\x1b[2J", "\x7f", "\x9b", "\ud800", "a\u2028b", b"a"], ids=ascii
)
def test_an_id_of_another_kind_is_refused(name):
    with pytest.raises(InputError, match=r"id: got .*; expected a whole number, or a string without"):
        identity({"id": name})


@pytest.mark.parametrize("number", [2, 0, "2", None, True, "one", [1]])
def test_another_version_is_refused(number):
    with pytest.raises(InputError, match=r"version: got .*; expected 1, the version of this format"):
        only_version_1({"version": number})


def test_an_answer_ends_at_its_budget():
    steps = ({"queues": ["1" * 20, None]} for _ in range(10**9))
    with budgets.raised(output=1000), pytest.raises(BudgetError, match=r"events: got .* at most 1,000 characters"):
        collected(steps, "events")
    assert collected([{"a": 1}] * 3, "events") == [{"a": 1}] * 3


def test_equal_parts_of_documents_are_read_once_and_different_ones_apart():
    reads = []

    def read(part, queues):
        reads.append((part, queues))
        if part["alpha"] == "x":
            raise InputError("alpha", "x", "a number")
        return len(reads)

    parts = [{"alpha": 1}, {"alpha": True}, {"alpha": "1"}, {"alpha": 1.0}, {"alpha": [1]}]
    made = [once(read, part, 2) for part in (*parts, *parts)]
    assert made == [1, 2, 3, 4, 5] * 2
    assert once(read, {"alpha": 1}, 3) == 6
    for _ in range(2):  # an error is raised each time
        with pytest.raises(InputError, match="alpha: got 'x'"):
            once(read, {"alpha": "x"}, 2)
    arrays = [once(read, {"alpha": np.array([1, 2])[:1]}, 2) for _ in range(2)]
    assert arrays == [9, 10]  # it could change


def test_a_part_is_read_again_under_another_budget():
    def read(part):
        return units.bytes_(part["buffer"], "switch.buffer")

    part = {"buffer": "9" * 40}
    assert once(read, part) == 10**40 - 1
    with budgets.raised(digits=20), pytest.raises(BudgetError, match=r"switch\.buffer"):
        once(read, part)
