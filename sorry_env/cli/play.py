"""`sorry play`: a person at the terminal against bots, or against other people."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from sorry_env.cli import options
from sorry_env.cli.options import add_setup, share_out
from sorry_env.cli.running import check_outputs
from sorry_env.cli.terminal import use_colour
from sorry_env.errors import MoveError, RequestError
from sorry_env.families import family_of
from sorry_env.files import append_file
from sorry_env.parsing import SEED
from sorry_env.terminal import terminal_text

if TYPE_CHECKING:
    from sorry_env.rounds import Rounds

#: A number among the moves; of longer ones there are none.
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
#: The longest answer that is looked at as the text of a move.
MOST_LETTERS: Final = 200

_HELP = """\
  NUMBER or move text   play that move
  u                     take back to your last decision
  h                     a hint from the hint bot
  p                     print the position's line
  q                     leave the game"""


def add_commands(commands: Any) -> None:
    """Add this module's command to the parser."""
    play = commands.add_parser(
        "play",
        help="play against bots in the terminal",
        description="Play in the terminal. Legal moves are numbered, in words and in notation; "
        "forced moves play themselves. At the prompt:\n" + _HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_setup(play)
    play.add_argument(
        "--you",
        default=None,
        metavar="COLOURS",
        help="colours you play (default: the first seated)",
    )
    play.add_argument(
        "--bot",
        action="append",
        metavar="BOT",
        help="opponent for all other seats, or, given again, one for each (default: greedy)",
    )
    play.add_argument("--hint", default="greedy", metavar="BOT", help="bot asked by h")
    play.add_argument("--seed", type=SEED, help="for the same game again (default: a new one)")
    play.add_argument("--position", metavar="TEXT", help="begin from this position")
    play.add_argument(
        "--target-score",
        type=options.POINTS,
        metavar="N",
        help="play rounds until somebody has so many points",
    )
    play.add_argument("--record", metavar="FILE", help="append the finished game's record here")
    play.add_argument("--plain", action="store_true", help="no colours")
    play.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    check_outputs(record=arguments.record)
    options.read_standard_input()
    return _Table(arguments).play()


class _LeftError(Exception):
    """The person has left the game."""


class _Table:
    """One game between a person and bots: who sits where, what is shown, what is asked."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        from sorry_env.engine.rng import MAX_SEED, given_or_fresh_seed

        self._family = family = family_of(arguments.position or arguments.ruleset)
        self._seed = given_or_fresh_seed(arguments.seed)
        if arguments.position is not None:
            self._game = family.read(arguments.position, seed=self._seed)
            if self._game.waiting:
                self._game.draw()
        else:
            self._game = family.new_game(
                arguments.ruleset, arguments.seats, seed=self._seed, first=arguments.first
            )
        game = self._game
        self._names = family.seat_names
        # One agent plays both colours of a team: red is then the person's partner too.
        usual = game.seats[::2] if game.ruleset.teams == "two" else game.seats[:1]
        you = family.parse_seats(arguments.you) if arguments.you else usual
        if absent := [self._names[seat] for seat in you if seat not in game.seats]:
            raise RequestError(f"{', '.join(absent)} is not seated", value=absent)
        others = [seat for seat in game.seats if seat not in you]
        specs = share_out(arguments.bot or ["greedy"], len(others)) if others else []
        self._specs = dict.fromkeys(you, "person") | dict(zip(others, specs, strict=True))
        self._bots = {seat: family.make_bot(spec) for seat, spec in zip(others, specs, strict=True)}
        self._hint = family.make_bot(arguments.hint)
        for i, bot in enumerate((*self._bots.values(), self._hint)):
            bot.check(game.tables, game.seats)
            bot.reset((self._seed + i) & MAX_SEED)
        self._record_file = arguments.record
        self._colour = use_colour(plain=arguments.plain)
        self._played: list[Any] = []
        self._start = game.copy()
        self._match: Rounds | None = None
        if arguments.target_score is not None:
            from sorry_env.rounds import Rounds, check_target

            target = check_target(game.ruleset, arguments.target_score)
            self._match = Rounds(game.seats, target, game.turn)

    def play(self) -> int:
        """The loop of the game, or of the rounds; exit status 0 when it ends or is left."""
        print(f"seed {self._seed}; you play {self._persons()}; ? for help")
        while True:
            self._board()
            try:
                while not self._game.over:
                    self._decision()
            except _LeftError:
                return 0
            self._board()
            self._finish()
            if self._match is None:
                return 0
            self._match = self._match.add(self._game.returns("points"))
            print(f"after {self._match.played} rounds: {self._points(self._match.totals)}")
            if self._match.over:
                print(f"{self._named(self._match.winners)} won the match")
                return 0
            self._next_round(self._match)

    def _round_seed(self) -> int:
        """The seed of the game being played; each round of a match has the next one."""
        from sorry_env.engine.rng import MAX_SEED

        return (self._seed + (self._match.played if self._match else 0)) & MAX_SEED

    def _next_round(self, match: Rounds) -> None:
        self._game = self._family.new_game(
            self._game.ruleset, match.seats, seed=self._round_seed(), first=match.first
        )
        self._played = []
        self._start = self._game.copy()

    def _decision(self) -> None:
        """One decision: a bot's, a forced one, or the person's, who may take moves back instead."""
        move_text, move_words = self._family.move_text, self._family.move_words
        game = self._game
        who = self._names[game.actor]
        moves = game.legal_moves()
        move: Any = moves[0]
        if game.actor in self._bots:
            move = game.describe(self._bots[game.actor].choose(game.view(game.actor)))
            print(terminal_text(f"{who} ({self._specs[game.actor]}): {move_words(game, move)}"))
        elif len(moves) == 1:
            print(f"{who} (you): {move_words(game, move)}  [{move_text(move)}, forced]")
        else:
            self._board()
            move = self._ask(moves)
        if move is not None:
            self._played.append(move)
            game.play(move)

    def _persons(self) -> str:
        mine = [self._names[s] for s in self._game.seats if s not in self._bots]
        return ", ".join(mine) or "nobody"

    def _named(self, seats: Iterable[int]) -> str:
        return " and ".join(self._names[seat] for seat in seats)

    def _points(self, points: Sequence[float]) -> str:
        return ", ".join(f"{self._names[seat]} {points[seat]:g}" for seat in self._game.seats)

    def _view(self) -> Any:
        """The game as a person sees it: the one who decides, or else the first of them."""
        persons = [seat for seat in self._game.seats if seat not in self._bots]
        if self._game.actor in persons:
            return self._game.view(self._game.actor)
        return self._game.view(persons[0] if persons else None)

    def _board(self) -> None:
        print(self._family.ansi(self._view(), colour=self._colour))

    def _due(self) -> str:
        """What the one who decides has before him: the card drawn, a phase, the hand."""
        game = self._game
        hands = getattr(game, "hands", None)
        parts = [f"{self._family.drawn} {game.card}"] if game.card else []
        if hands is not None:
            parts.append("hand " + " ".join(hands[game.actor]))
        elif game.phase != "move":
            parts.append(game.phase)
        return ", ".join(parts)

    def _ask(self, moves: Any) -> Any:
        """The person's move, or None after moves were taken back; _LeftError to leave."""
        family, game = self._family, self._game
        who = self._names[game.actor]
        for number, move in enumerate(moves, start=1):
            print(f"  {number:2d}  {family.move_text(move):<16} {family.move_words(game, move)}")
        while True:
            answer = self._answer(f"{who}, {self._due()}> ")
            if answer == "q":
                raise _LeftError
            if answer in ("?", "help"):
                print(_HELP)
            elif answer == "p":
                print(family.write(self._view()))
            elif answer == "h":
                action = self._hint.choose(game.view(game.actor))
                print(f"  hint: {family.move_text(game.describe(action))}")
            elif answer == "u":
                if self._undo():
                    return None
                print("  there is no decision of yours to take back")
            elif _NUMBER.fullmatch(answer):
                number = int(answer)
                if 1 <= number <= len(moves):
                    return moves[number - 1]
                print(f"  {number} is no number from 1 to {len(moves)}")
            elif len(answer) > MOST_LETTERS:
                print(f"  no move has {len(answer)} letters; a number from 1 to {len(moves)} is "
                      "enough, and ? is for help")  # fmt: skip
            elif answer:
                try:
                    return family.parse_move(game, answer)
                except MoveError as error:
                    print(f"  {terminal_text(error.message)}")

    def _answer(self, prompt: str) -> str:
        """What the person types; _LeftError at the end of the input.

        Ctrl-C is answered in words; twice on one prompt it ends the game.
        """
        interrupted = False
        while True:
            try:
                return input(prompt).strip()
            except EOFError:
                print()
                raise _LeftError from None
            except KeyboardInterrupt:
                if interrupted:
                    raise
                interrupted = True
                print("\n  q leaves the game; so does Ctrl-C once more")

    def _undo(self) -> bool:
        """Go back to the last decision that was a person's own choice."""
        trial = self._game.copy()
        for back in range(1, len(self._played) + 1):
            trial.undo()
            if trial.actor not in self._bots and len(trial.legal_actions()) > 1:
                for _ in range(back):
                    self._game.undo()
                    self._played.pop()
                return True
        return False

    def _finish(self) -> None:
        print(f"{self._named(self._game.winners)} won after {self._game.plies} decisions")
        if getattr(self._game.ruleset, "pawn_points", 0):
            print(f"points: {self._points(self._game.returns('points'))}")
        if self._record_file:
            self._write_record()

    def _write_record(self) -> None:
        from sorry_env.notation import Recorder

        game = self._start
        players = {
            name: self._specs[self._names.index(name)]
            for name in self._family.player_names(game.ruleset, game.seats)
        }
        seed = self._round_seed()
        name = f"{game.ruleset.name}-play-{seed}"
        recorder = Recorder(game, players, seed=seed, name=name)
        for move in self._played:
            recorder.decision(move)
            game.play(move)  # the random state is the first position's: the same cards come again
        text = "".join(f"{line}\n" for line in recorder.finish().lines())
        try:
            append_file(self._record_file, text)
        except OSError:
            print(text, end="")  # here it can still be kept
            raise
