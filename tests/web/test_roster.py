"""Which bots a server offers: all that a match takes and that are safe, by what their files say."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import onnx
import pytest

from sorry_env.arena import play_match
from sorry_env.bots import shipped
from sorry_env.bots.model_file import parse_model, read_facts
from sorry_env.bots.policy import read_file
from sorry_env.bots.registry import make_bot
from sorry_env.bots.shipped import shipped_files, shipped_folder
from sorry_env.errors import ModelError, RequestError, SorryError
from sorry_env.families import FAMILIES, family_of
from sorry_env.rules import RULESETS
from sorry_env.web.roster import Roster
from tests.bots import models
from tests.web.support import server


def offered(roster: Roster, ruleset: str, seats: int) -> set[str]:
    """The names offered for a game, as the page chooses among them."""
    kind = "express" if ruleset in FAMILIES else "board"
    return {
        offer.name
        for offer in roster.offers()
        if kind in offer.families
        and (offer.rulesets is None or ruleset in offer.rulesets)
        and (offer.seats is None or seats in offer.seats)
    }


def seat_counts(ruleset: str) -> list[int]:
    family, found = family_of(ruleset), []
    for count in (1, 2, 3, 4):
        try:
            family.choose_seats(family.resolve(ruleset), count)
            found.append(count)
        except SorryError:
            continue
    return found


@pytest.mark.parametrize("ruleset", [*RULESETS, *FAMILIES])
def test_what_a_match_takes_is_offered_and_nothing_else(ruleset: str) -> None:
    """Of all shipped and built-in bots, with every number of seats; what a match asks first."""
    roster = Roster()
    names = [offer.name for offer in roster.offers()]
    assert f"best:{ruleset}" in names or ruleset.startswith(("duel", "solo"))
    family = family_of(ruleset)
    tables = family.compile_rules(family.resolve(ruleset))
    for count in seat_counts(ruleset):
        taken = set()
        for name in names:
            try:
                family.make_bot(name).check(tables, family.choose_seats(tables.ruleset, count))
            except SorryError:
                continue
            taken.add(name)
        assert taken == offered(roster, ruleset, count)


def test_every_offer_says_all_of_itself(tmp_path: Path) -> None:
    with server(tmp_path / "games.db") as client:
        rows = {row["name"]: row for row in client.get("/api/bots").json()["bots"]}
    assert rows["best:classic"]["seats"] == [2, 3, 4]
    assert rows["best:points"]["seats"] == [2, 4]
    assert rows["best:bump-em"]["rulesets"] == ["bump-em"]
    assert rows["best:express"]["families"] == ["express"]
    assert rows["greedy"]["seats"] is None
    for name in ("waddingtons", "first-edition", "points-1939", "teams-two", "fire-and-ice"):
        assert rows[f"best:{name}"]["rulesets"] == [name]


def test_names_of_folders_and_files_say_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A value of the dice game's neighbour under a policy's name, a policy under a value's."""
    for folder, file, data in (
        ("express-9", "bot.onnx", models.build_value("bump-em", (2,))),
        ("bump-em", "value.onnx", models.build("express", (3, 4))),
        ("x", "any.onnx", models.build("classic?pawns=3", (3,))),
    ):
        (tmp_path / folder).mkdir()
        models.save(tmp_path / folder, data, file)
    monkeypatch.setattr(shipped, "shipped_folder", lambda: tmp_path)
    rows = {offer.name: offer for offer in Roster().offers() if offer.name.startswith("best:")}
    told = {name: (offer.rulesets, offer.seats, offer.families) for name, offer in rows.items()}
    assert told == {
        "best:bump-em": (("bump-em",), (2,), ("board",)),
        "best:express": (("express",), (3, 4), ("express",)),
        "best:classic?pawns=3": (("classic?pawns=3",), (3,), ("board",)),
    }
    for name, seats in (("bump-em", 2), ("express", 3), ("classic?pawns=3", 3)):
        assert (
            play_match([f"best:{name}"] * seats, name, seats, games=1, max_plies=3).games == seats
        )
    # A ruleset's name comes before a folder's; a folder's is a name all the same.
    assert make_bot("best:bump-em").rulesets == ("bump-em",)
    assert make_bot("best:express-9").rulesets == ("bump-em",)
    models.save(tmp_path / "x", models.build("bump-em", (2,)), "more.onnx")
    with pytest.raises(ModelError, match="are both for 2 seats"):
        make_bot("best:bump-em")
    models.save(tmp_path / "x", b"spoilt", "more.onnx")
    assert make_bot("best:bump-em").rulesets == ("bump-em",)
    with pytest.raises(RequestError, match=r"not shipped.*more.onnx is no whole \.onnx file"):
        make_bot("best:chess")


@pytest.mark.parametrize("file", shipped_files()[0], ids=lambda file: file.name)
def test_facts_read_without_onnxruntime_are_those_of_the_file(file: shipped.ShippedFile) -> None:
    model = onnx.load(str(file.path))
    metadata, outputs = parse_model(file.path.read_bytes())
    assert metadata == {entry.key: entry.value for entry in model.metadata_props}
    assert outputs == [port.name for port in model.graph.output]
    policy = read_file(file.path, values_only=file.facts.kind == "value")
    assert file.facts.account.ruleset == policy.ruleset
    assert (file.facts.account.seat_counts, file.facts.reward) == (
        policy.seat_counts, policy.reward,
    )  # fmt: skip


def test_no_model_whatever_is_cut_off_or_changed(tmp_path: Path) -> None:
    """Facts are read, or the file is refused by a ModelError: nothing else, and no endless loop."""
    data = models.build("duel-1", (2,))
    for length in range(0, len(data), 97):
        path = models.save(tmp_path, data[:length], f"{length}.onnx")
        with pytest.raises(ModelError):
            read_facts(path)
    for at in range(0, len(data), 41):
        spoilt = bytearray(data)
        spoilt[at] ^= 0x55
        path = models.save(tmp_path, bytes(spoilt), f"x{at}.onnx")
        with suppress(ModelError):
            read_facts(path)


#: Files that are not offered, with a word of the reason.
REFUSED: dict[str, tuple[Callable[[Path], None], str]] = {
    "my bot.onnx": (lambda p: _save(p, models.build("duel-1", (2,))), "its name must be made of"),
    "spoilt.onnx": (lambda p: _save(p, b"hello"), "is no whole .onnx file"),
    "folder.onnx": (lambda p: p.mkdir(), "it is no file"),
    "gone.onnx": (lambda p: p.symlink_to(p.with_name("nothing")), "it is no file"),
    "pipe.onnx": (os.mkfifo, "it is no file"),
    "bare.onnx": (lambda p: _save(p, models.build(metadata={"ruleset": None})), "lack 'ruleset'"),
    "old.onnx": (
        lambda p: _save(p, models.build(metadata={"sorry_env.format": "0"})), "reads '1'",
    ),
    "chess.onnx": (
        lambda p: _save(p, models.build(metadata={"ruleset": "chess"})), "unknown ruleset",
    ),
    "other.onnx": (
        lambda p: _save(p, models.build(metadata={"ruleset": "points"})), "of ruleset points",
    ),
    "evil.onnx": (
        lambda p: _save(p, models.build(metadata={"ruleset": "a\x1b[31mb"})), r"a\x1b[31mb",
    ),
}  # fmt: skip


def _save(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def test_every_file_is_offered_or_named_with_the_reason(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name, (make, _) in REFUSED.items():
        make(tmp_path / name)
    good = {
        "policy": models.build("classic", (2, 3)),
        "value": models.build_value("points", (4,)),
        "dice": models.build("express", (2,)),
        "derived": models.build("classic?pawns=3", (2,)),
    }
    for name, data in good.items():
        models.save(tmp_path, data, f"{name}.onnx")
    roster = Roster(tmp_path)
    with caplog.at_level(logging.WARNING):
        names = {offer.name for offer in roster.offers()}
        assert {name for name in names if name.startswith("file:")} == {
            f"file:{name}" for name in good
        }
        told = [record.getMessage() for record in caplog.records]
        roster.offers()
    assert len(caplog.records) == len(told) == len(REFUSED)  # told once
    for name, (_, reason) in REFUSED.items():
        [warning] = [text for text in told if text.startswith(f"{name!r} ")]
        assert "is not offered: " in warning and reason in warning, warning
        assert str(tmp_path) not in warning and warning.isprintable()
    # One that is mended is found, one that is spoilt is told.
    caplog.clear()
    shutil.copy(tmp_path / "policy.onnx", tmp_path / "spoilt.onnx")
    (tmp_path / "value.onnx").write_bytes(b"no more")
    names = {offer.name for offer in roster.offers()}
    assert "file:spoilt" in names and "file:value" not in names
    assert [record.getMessage()[:12] for record in caplog.records] == ["'value.onnx'"]


def test_a_file_for_rules_of_ones_own_is_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server knows the published rulesets; the same name may also mean other rules."""
    data = models.build("classic", (2,), metadata={"rules": '{"pawns": 3}'})
    models.save(tmp_path, data, "house.onnx")
    assert not [o for o in Roster(tmp_path).offers() if o.name.startswith("file:")]
    assert "another ruleset of the name classic" in caplog.text


def test_more_files_than_are_looked_at_are_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sorry_env.web.roster.MOST_FILES", 1)
    for name in ("a", "b", "c"):
        models.save(tmp_path, models.build("duel-1", (2,)), f"{name}.onnx")
    roster = Roster(tmp_path)
    for _ in range(2):
        assert "file:a" in {offer.name for offer in roster.offers()}
    assert [record.getMessage() for record in caplog.records] == [
        "only 1 bots of a folder are offered, not 'b.onnx', 'c.onnx'"
    ]


def test_the_server_warns_when_it_starts(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    models.save(tmp_path, b"hello", "spoilt.onnx")
    with server(tmp_path / "games.db", bots=tmp_path):
        assert "'spoilt.onnx' is not offered" in caplog.text


def test_shipped_files_are_all_bots() -> None:
    files, faults = shipped_files()
    assert not faults and len(files) == len(list(shipped_folder().iterdir()))
