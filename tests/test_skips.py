"""Skips without an excuse fail the run: pytest inside pytest, with the plugin of these tests."""

from __future__ import annotations

import pytest

from tests import skips

#: Each is a file that is skipped or has a skipped test, for a reason that is on no list.
SILENT = {
    "a missing module": "import pytest\npytest.importorskip('tests.no_such_module')\n",
    "a missing module in a test": (
        "import pytest\ndef test_it():\n    pytest.importorskip('no_such_module')\n"
    ),
    "a module": "import pytest\npytest.skip('not today', allow_module_level=True)\n",
    "a mark": "import pytest\n@pytest.mark.skip(reason='later')\ndef test_it(): ...\n",
    "a condition": (
        "import pytest\n@pytest.mark.skipif(True, reason='no time')\ndef test_it(): ...\n"
    ),
    "a call": "import pytest\ndef test_it():\n    pytest.skip('no idea')\n",
    "a fixture": (
        "import pytest\n@pytest.fixture\ndef f():\n    pytest.skip('empty')\ndef test_it(f): ...\n"
    ),
    "unittest": "import unittest\n@unittest.skip('old')\nclass TestIt(unittest.TestCase):\n"
    "    def test_it(self): ...\n",
    "no cases": "import pytest\n@pytest.mark.parametrize('x', [])\ndef test_it(x): ...\n",
    "an excuse that does not hold": (
        "import pytest\n@pytest.mark.skipif(True, reason='looks for processes in /proc')\n"
        "def test_it(): ...\n"
    ),
}


@pytest.mark.parametrize("kind", SILENT)
def test_a_skip_without_an_excuse_fails(
    kind: str, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    pytester.makepyfile(SILENT[kind])
    result = pytester.runpytest_inprocess("-p", "tests.skips", "-p", "no:cacheprovider")
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*skipped without an excuse*"])
    assert "skipped" not in result.parseoutcomes()


def test_listed_reasons_and_expected_failures_may_be(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(skips, "EXCUSES", (skips.Excuse("needs a .*", lambda: True),))
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.skipif(True, reason="needs a GPU")
        def test_skipped(): ...

        @pytest.mark.xfail(strict=True)
        def test_fails():
            assert False

        def test_passes(): ...
        """
    )
    result = pytester.runpytest_inprocess("-p", "tests.skips", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, skipped=1, xfailed=1)
    assert result.ret == 0


def test_a_reason_must_be_whole_and_true() -> None:
    reasons = [excuse.reason for excuse in skips.EXCUSES]
    assert len(set(reasons)) == len(reasons)
    assert not skips.excused("needs a GPU that is red")
    assert not skips.excused("could not import 'onnxruntime': No module named 'onnxruntime'")


@pytest.mark.parametrize(
    "name",
    [
        "there is no Node here",
        "run `npm ci` in docs/examples/node",
        "no Chromium at x: install it with `make browser-deps`",
    ],
)
def test_continuous_integration_skips_neither_node_nor_chromium(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.delenv("CI", raising=False)
    assert skips.excused(name)
    monkeypatch.setenv("CI", "true")
    assert not skips.excused(name)
