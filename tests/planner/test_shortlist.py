"""What is shown of a catalogue that is too large to be shown whole."""

import numpy as np

from planner.catalogue_text import read_catalogue
from planner.rules.lexicon import Lexicon
from planner.shortlist import Shortlist

NOUNS = ["tram", "ferry", "bridge", "tunnel", "garden", "kiln", "orchard", "quarry", "beehive", "loom"]
ROWS = "".join(
    f"{noun}_{n} Figures of the {noun} in district {n} : mth\n  mth month month\n  {noun}_cost_{n} money cost of the {noun}\n"
    for noun in NOUNS
    for n in range(3)
)
CATALOGUE = read_catalogue(
    f"@ board sql 0.8 Works\n{ROWS}# manual pdf_knowledge_base 0.7 Rules of the works\n"
)


def names(shortlist: Shortlist, question: str, needed: tuple[str, ...] = ()) -> set[str]:
    return {t.dataset.name for t in shortlist.tables(question, (), needed)}


def test_a_catalogue_that_fits_is_shown_whole_and_in_order() -> None:
    lexicon = Lexicon(CATALOGUE)
    assert Shortlist(lexicon, whole=100_000).tables("anything", ()) == list(lexicon.tables.values())


def test_the_datasets_that_a_question_speaks_of_are_kept() -> None:
    shortlist = Shortlist(Lexicon(CATALOGUE), whole=100, chosen=200)
    kept = names(shortlist, "what did the kilns cost last month")
    assert {"kiln_0", "kiln_1", "kiln_2"} <= kept
    assert len(kept) < 12


def test_what_is_needed_comes_first() -> None:
    shortlist = Shortlist(Lexicon(CATALOGUE), whole=100, chosen=60)
    assert {"loom_1", "documents"} <= names(shortlist, "what did the kilns cost", ("loom_1", "manual"))


def test_embeddings_find_what_shares_no_word() -> None:
    def embed(texts, questions):
        bees = [1.0 if "beehive" in t or "honey" in t else 0.1 for t in texts]
        return np.array([[b, (1 - b * b) ** 0.5] for b in bees])

    lexicon = Lexicon(CATALOGUE)
    assert "beehive_1" not in names(Shortlist(lexicon, whole=100, chosen=80), "how much for honey")
    assert "beehive_1" in names(Shortlist(lexicon, embed, whole=100, chosen=80), "how much for honey")


def test_namesakes_of_other_content_are_shown_with_the_one_they_are_told_apart_from() -> None:
    catalogue = read_catalogue(
        "@ north sql 0.9 North\nstock sheep : pen\n  pen text pen\n  sheep number sheep\n"
        "@ south sql 0.8 South\nstock barrels : shed\n  shed text shed\n  barrels number barrels\n"
    )
    lexicon = Lexicon(catalogue)
    assert list(lexicon.tables) == ["stock", "south.stock"]
    shown = Shortlist(lexicon, whole=1, chosen=20).tables("how many barrels", ())
    assert [t.key for t in shown] == ["stock", "south.stock"]
