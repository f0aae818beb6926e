"""A release is refused for each thing that is not ready, and made of the commit alone."""

from pathlib import Path

import pytest

import release

pytestmark = pytest.mark.needs("git")
READY = {
    "dtmodel/base/version.py": '__version__ = "1.2.0"\n',
    "CITATION.cff": "cff-version: 1.2.0\nversion: 1.2.0\n",
    "CHANGELOG.md": "# Changelog\n\n## 1.2.0 (2026-12-01)\n\n- A change.\n\n## 1.1.0 (2026-11-01)\n\n- Another.\n",
}


def tree(folder: Path, **changed: str) -> Path:
    """Commit a tree that is ready, but for the files that are changed by the stems of their names."""
    for name, text in READY.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(changed.get(Path(name).stem, text), encoding="utf-8")
    who = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false")
    for command in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "m")):
        release._run("git", "-C", folder, *command)
    return folder


def test_a_tree_that_is_ready_is_not_refused(tmp_path: Path) -> None:
    assert list(release.refusals(tree(tmp_path), "1.2.0")) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"version": '__version__ = "1.1.0"\n'}, "dtmodel/base/version.py states 1.1.0, and not 1.2.0"),
        ({"CITATION": "cff-version: 1.2.0\n"}, "CITATION.cff states no version, and not 1.2.0"),
        (
            {"CHANGELOG": "## 1.2.0 (unreleased)\n\n- A change.\n"},
            "CHANGELOG.md has no section '## 1.2.0 (YYYY-MM-DD)'",
        ),
        ({"CHANGELOG": "## 1.2.0 (2026-12-01)\n\n## 1.1.0\n\n- Old.\n"}, "CHANGELOG.md has no section '## 1.2.0 ("),
        (
            {"CHANGELOG": "## 1x2.0 (2026-12-01)\n\n- A change.\n"},
            "CHANGELOG.md has no section '## 1.2.0 (YYYY-MM-DD)'",
        ),
    ],
)
def test_a_version_that_is_not_written_everywhere_is_refused(
    tmp_path: Path, changed: dict[str, str], said: str
) -> None:
    (reason,) = release.refusals(tree(tmp_path, **changed), "1.2.0")
    assert reason.startswith(said)


@pytest.mark.parametrize("version", ["", "1.2", "v1.2.0", "1.2.0 ", "1.2.0-rc1"])
def test_what_is_not_a_version_is_refused(tmp_path: Path, version: str) -> None:
    assert f"VERSION: got {version!r}; expected a version such as 1.0.0" in next(
        release.refusals(tree(tmp_path), version)
    )


def test_a_change_that_is_not_committed_is_refused(tmp_path: Path) -> None:
    (tree(tmp_path) / "new").touch()
    assert list(release.refusals(tmp_path, "1.2.0")) == ["there are changes that are not committed:\n?? new"]


def test_this_tree_before_its_release_is_refused_and_nothing_is_built(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["release.py", "99.0.0"])
    monkeypatch.setattr(release, "build", None)
    with pytest.raises(SystemExit, match=r"not released:\n- dtmodel/base/version.py states .*, and not 99\.0\.0"):
        release.main()
    assert capsys.readouterr().out == ""
