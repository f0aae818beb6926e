"""The pictures of README are what its own commands draw, and its tour runs."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

from dtmodel.cli import run

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TOUR = README.partition("## A tour of two minutes")[2].partition("\n## ")[0]
COMMANDS = re.findall(r"^    \$ \.venv/bin/dtmodel (.*)$", TOUR, re.MULTILINE)


def test_the_tour_has_two_pictures_and_they_are_what_its_commands_draw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", TOUR)
    assert len(pictures) == 2
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "docs" / "pictures").mkdir(parents=True)
    (tmp_path / "dtmodel").symlink_to(ROOT / "dtmodel")
    for command in COMMANDS:
        assert run(shlex.split(command, comments=True)) == 0, command
    said = " ".join(capsys.readouterr().out.split())
    for word in ("edt.ours.drop-time", "cn2_best", "300 %", "holds-under-assumption", "first_drop[0]"):
        assert word in said
    for name in pictures:
        drawn, kept = imread(tmp_path / name), imread(ROOT / name)
        assert drawn.shape == kept.shape
        assert np.abs(drawn - kept).mean() < 0.01  # another version of matplotlib may set a letter elsewhere


def test_it_is_short_and_its_links_lead_somewhere() -> None:
    assert len(README.split()) <= 900
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]
    assert len(links) > 6
    assert [link for link in links if not (ROOT / link).exists()] == []
