"""Templates are compiled for a language: the same pages as before, with less to do for each of them."""

from __future__ import annotations

from typing import Any

from jinja2 import DictLoader

from wonderland.components.catalogues import load_language
from wonderland.web.templating import TranslatedEnvironment

GERMAN = load_language("de")


def rendered(template: str, **context: Any) -> str:
    return TranslatedEnvironment(DictLoader({"it": template}), GERMAN).get_template("it").render(context)


def test_messages_are_translated_with_and_without_fields() -> None:
    said = GERMAN("I'm {name}", name="Bill <b>")
    assert "Bill" in said
    assert rendered("{{ _('Close') }}") == GERMAN("Close") != "Close"
    assert rendered('{{ _("I\'m {name}", name=who) }}', who="Bill <b>").endswith("Bill &lt;b&gt;")


def test_both_sides_of_a_condition_are_escaped_and_translated() -> None:
    template = "{{ (who if is_named else _('Close')) }}|{{ 'a' if one else 'b' if two }}"
    assert rendered(template, who="<i>", is_named=True, two=True) == "&lt;i&gt;|b"
    assert rendered(template, who="<i>") == f"{GERMAN('Close')}|"


def test_a_key_comes_before_a_method_of_the_same_name() -> None:
    assert rendered("{{ of.items }}", of={"items": 3}) == "3"
    assert rendered("{{ of.keys()|list }}", of={"items": 3}) == "[&#39;items&#39;]"


def test_macros_work_in_loops_with_callers_and_defaults() -> None:
    template = (
        "{% macro box(text, more='!') %}<p>{{ text }}{{ more }}{{ caller() if caller }}</p>"
        "{% endmacro %}{% for each in all %}{{ box(each) }}{% endfor %}"
        "{% call box('x', more='<') %}{{ all|length }}{% endcall %}"
    )
    assert rendered(template, all=["&", "b"]) == "<p>&amp;!</p><p>b!</p><p>x&lt;2</p>"
