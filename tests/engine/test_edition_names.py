"""A known edition's name promises its cards and seat counts; an edition of one's own is free."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_env.engine.tables import compile_rules
from sorry_env.errors import RulesetError
from sorry_env.rules import RULESETS, get_ruleset

NAMES = sorted(RULESETS)


@pytest.mark.parametrize("name", NAMES)
def test_other_cards_need_another_name(name: str) -> None:
    ruleset = get_ruleset(name)
    first, *others = ruleset.cards
    changed = replace(ruleset, cards=(replace(first, name="Z"), *others))
    with pytest.raises(RulesetError, match="need an edition of another name") as caught:
        compile_rules(changed)
    assert caught.value.value == ruleset.edition
    own = compile_rules(replace(changed, edition="our-own"))
    assert own.ruleset.card_names == ("Z", *ruleset.card_names[1:])


@pytest.mark.parametrize("name", [n for n in NAMES if len(get_ruleset(n).seat_counts) > 1])
def test_other_seat_counts_need_another_name(name: str) -> None:
    ruleset = get_ruleset(name)
    other = replace(ruleset, seat_counts=ruleset.seat_counts[:-1])
    with pytest.raises(RulesetError, match="need an edition of another name"):
        compile_rules(other)


@pytest.mark.parametrize("name", NAMES)
def test_the_edition_itself_is_compiled(name: str) -> None:
    assert compile_rules(name).ruleset == get_ruleset(name)
