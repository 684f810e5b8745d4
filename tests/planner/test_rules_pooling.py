"""Words that one dataset has for a field or a value serve every dataset that has the same field."""

from __future__ import annotations

from planner.catalogue import Field
from planner.rules.pooling import pooled


def test_words_are_shared_where_values_are() -> None:
    first = Field(
        name="site", type="text", synonyms=("厂区",), values=("N", "S"), value_synonyms={"N": ("北厂",)}
    )
    second = Field(name="site", type="text", values=("N", "S", "E"))
    other = Field(name="site", type="text", synonyms=("网站",), values=("shop", "blog"))
    shared = pooled([first, second, other])
    assert shared(second).synonyms == ("厂区",)
    assert shared(second).value_synonyms == {"N": ("北厂",)}
    assert shared(other) == other


def test_fields_without_values_keep_their_own_words() -> None:
    first = Field(name="name", type="text", synonyms=("姓名",))
    second = Field(name="name", type="text", synonyms=("品名",))
    assert pooled([first, second])(second).synonyms == ("品名",)
