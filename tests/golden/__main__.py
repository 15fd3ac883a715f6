"""`python -m tests.golden`: write all transcripts anew, each compared with the reference first."""

from __future__ import annotations

from sorry_env import notation
from sorry_env.game import Game
from sorry_env.rules import COLOURS
from tests.cases import PUBLISHED
from tests.golden.transcript import FOLDER, Ply, path_of, transcript
from tests.reference.reference import ReferenceGame


def draw_as_played(reference: ReferenceGame, position: str) -> ReferenceGame:
    """What chance gave the engine, recognised by the position that it led to."""
    for card in reference.draws():
        drawn = reference.draw(card)
        if drawn.text() == position:
            return drawn
    raise AssertionError(f"no draw leads from {reference.text()} to {position}")


def compare_with_reference(plies: list[Ply], game: Game) -> None:
    """Legal moves, the position after each move and the end, by the reference.

    Raises AssertionError, with the position, where the two differ.
    """
    reference = ReferenceGame.from_text(plies[0].position)
    for number, ply in enumerate(plies):
        where = f"ply {number}, {ply.position}, {ply.move}"
        assert reference.text() == ply.position, f"{where}: reference is at {reference.text()}"
        assert reference.legal() == ply.legal, f"{where}: reference has {reference.legal()}"
        reference = reference.apply(ply.move)
        if reference.over:
            break
        if reference.waiting:
            reference = draw_as_played(reference, plies[number + 1].position)
    assert reference.text() == notation.write(game), f"end: {reference.text()}"
    for reward in ("win", "points") if game.ruleset.pawn_points else ("win",):
        outcome = reference.outcome(reward)
        assert outcome is not None, "the reference goes on"
        for colour, value in outcome.items():
            assert abs(game.returns(reward)[COLOURS.index(colour)] - float(value)) < 1e-6, colour


def main() -> None:
    """Write every transcript and take away those that belong to nothing."""
    FOLDER.mkdir(exist_ok=True)
    wanted = {path_of(name, count) for name, count in PUBLISHED}
    for path in set(FOLDER.iterdir()) - wanted:
        path.unlink()
        print(f"removed   {path.name}")
    for name, count in PUBLISHED:
        path = path_of(name, count)
        text = transcript(name, count, compare_with_reference)
        before = path.read_text(encoding="utf-8") if path.exists() else None
        path.write_text(text, encoding="utf-8")
        print(f"{'unchanged' if text == before else 'written':9} {path.name}")


if __name__ == "__main__":
    main()
