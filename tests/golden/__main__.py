"""`python -m tests.golden`: write all transcripts anew, each compared with the reference first."""

from __future__ import annotations

from typing import Any

from sorry_env.families import family_of
from tests.golden.transcript import CASES, FOLDER, Ply, path_of, transcript
from tests.reference.express import ExpressGame
from tests.reference.reference import ReferenceGame


def draw_as_played(reference: Any, position: str) -> Any:
    """What chance gave the engine, recognised by the position that it led to."""
    for card in reference.draws():
        drawn = reference.draw(card)
        if drawn.text() == position:
            return drawn
    raise AssertionError(f"no draw leads from {reference.text()} to {position}")


def compare_with_reference(plies: list[Ply], game: Any) -> None:
    """Legal moves, the position after each move and the end, by the reference.

    Raises AssertionError, with the position, where the two differ.
    """
    family = family_of(game.ruleset)
    dice = game.ruleset.name == "express"
    reference: Any = (ExpressGame if dice else ReferenceGame).from_text(plies[0].position)
    for number, ply in enumerate(plies):
        where = f"ply {number}, {ply.position}, {ply.move}"
        assert reference.text() == ply.position, f"{where}: reference is at {reference.text()}"
        assert reference.legal() == ply.legal, f"{where}: reference has {reference.legal()}"
        reference = reference.apply(ply.move)
        if reference.outcome() is not None:
            break
        if reference.waiting:
            reference = draw_as_played(reference, plies[number + 1].position)
    assert reference.text() == family.write(game), f"end: {reference.text()}"
    if dice:
        check_returns(game, "win", {str(seat): r for seat, r in reference.outcome().items()})
        return
    for reward in ("win", "points") if game.ruleset.pawn_points else ("win",):
        check_returns(game, reward, reference.outcome(reward))


def check_returns(game: Any, reward: str, outcome: dict[str, Any]) -> None:
    """The returns by the names of seats."""
    names = family_of(game.ruleset).seat_names
    for name, value in outcome.items():
        assert abs(game.returns(reward)[names.index(name)] - float(value)) < 1e-6, name


def main() -> None:
    """Write every transcript and take away those that belong to nothing."""
    FOLDER.mkdir(exist_ok=True)
    wanted = {path_of(name, count) for name, count in CASES}
    for path in set(FOLDER.iterdir()) - wanted:
        path.unlink()
        print(f"removed   {path.name}")
    for name, count in CASES:
        path = path_of(name, count)
        text = transcript(name, count, compare_with_reference)
        before = path.read_text(encoding="utf-8") if path.exists() else None
        path.write_text(text, encoding="utf-8")
        print(f"{'unchanged' if text == before else 'written':9} {path.name}")


if __name__ == "__main__":
    main()
