"""Positions and moves worked by hand from the rules, one for every sentence: `worked/*.txt`.

A `##` line names the rule. A line `RULESET PAWNS SEAT CARD` is a position; each colour's missing
pawns are in Start, `S` is a colour all in Start, `H` one all Home. What follows belongs to it:
`= MOVE MOVE ...` are all its legal moves; `MOVE -> PAWNS SEAT` says where a move leads and who is
then in turn, with `over` behind it when the game has ended. Expected values come from the rules,
not from the engine. The cases of `tests/reference` are tried on the engine too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sorry_env import notation
from sorry_env.game import Game
from tests.reference.positions import full, position

FOLDER = Path(__file__).parent / "worked"


@dataclass
class Case:
    """A position of the files with what is said of it."""

    rule: str
    where: str
    ruleset: str
    pawns: str
    seat: str
    card: str
    legal: list[str] | None = None
    moves: list[tuple[str, str, str, bool]] = field(default_factory=list)

    def game(self) -> Game:
        """The position as a game; whoever is all Home in it has won."""
        winner = next(
            (c for c, p in zip("rbyg", self.pawns.split("/"), strict=True) if p == "H"), ""
        )
        won = winner and not self.ruleset.startswith("teams")
        extra = f"winner={winner}" if won else "-"
        text = position(self.pawns, self.seat, self.card, self.ruleset, extra=extra)
        return notation.read(text, seed=1)


def read_cases(path: Path) -> list[Case]:
    """All cases of a file, in order."""
    cases: list[Case] = []
    rule = ""
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        words = line.split()
        if line.startswith("##"):
            rule = line[3:]
        elif line.startswith("= "):
            cases[-1].legal = words[1:]
        elif "->" in words:
            move, _, pawns, seat, *over = words
            assert over in ([], ["over"]), line
            cases[-1].moves.append((move, pawns, seat, bool(over)))
        elif words and not line.startswith("#"):
            ruleset, pawns, seat, card = words
            where = f"{path.stem}.txt:{number}"
            cases.append(Case(rule, where, ruleset, pawns, seat, card))
    return cases


CASES = [case for path in sorted(FOLDER.glob("*.txt")) for case in read_cases(path)]


def check(case: Case) -> None:
    """Legal moves and what moves lead to, as the file says."""
    game = case.game()
    assert case.legal is not None or case.moves
    if case.legal is not None:
        assert notation.legal_texts(game) == sorted(case.legal), case.rule
    for move, pawns, seat, over in case.moves:
        after = game.copy()
        after.play(notation.parse_move(after, move), draw=False)
        words = notation.write(after).split(" ")
        wanted = full(pawns, game.ruleset.pawns)
        state = ["over", "-"] if over else ["move", "?"]
        assert words[1:5] == [wanted, seat, *state], (case.rule, move)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.where)
def test_worked(case: Case) -> None:
    check(case)


@pytest.mark.parametrize(
    "case", [c for c in CASES if c.ruleset == "teams"], ids=lambda case: case.where
)
def test_worked_with_one_agent_for_a_team(case: Case) -> None:
    check(Case(**{**vars(case), "ruleset": "teams-two"}))


def test_every_case_expects_something() -> None:
    assert len(CASES) >= 200
    assert all(case.rule and (case.legal or case.moves) for case in CASES)
    rules = {case.rule.split()[0] for case in CASES}
    assert rules >= {"1", *(f"2.{n}" for n in range(1, 10)), "3", "5", "6", "6.2"}
