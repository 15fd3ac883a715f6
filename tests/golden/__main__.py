"""`python -m tests.golden`: write all transcripts anew, each compared with the reference first."""

from __future__ import annotations

from sorry_env import notation
from sorry_env.game import Game
from sorry_env.rules import COLOURS
from tests.cases import PUBLISHED
from tests.golden.transcript import FOLDER, Ply, path_of, transcript
from tests.reference.reference import ReferenceGame


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
        if number + 1 < len(plies):
            reference = reference.draw(plies[number + 1].card)
    assert reference.text() == notation.write(game), f"end: {reference.text()}"
    outcome = reference.outcome()
    assert outcome is not None, "the reference goes on"
    for colour, value in outcome.items():
        assert abs(game.returns()[COLOURS.index(colour)] - float(value)) < 1e-6, colour


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
