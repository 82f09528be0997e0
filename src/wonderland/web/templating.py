"""The Jinja environment of one language: what never changes is decided when a template is compiled.

A table is rendered for every viewer after every move, and most of that work is the same each time. So
each language compiles the templates for itself: literal messages become translated text, and inline
conditions become branches, which need no escaping at run time.
"""

from __future__ import annotations

from typing import Any

from jinja2 import BaseLoader, Environment, nodes
from jinja2.runtime import Context, Macro
from jinja2.visitor import NodeTransformer

from wonderland.engine.language import Language


class _FastContext(Context):
    """A context that calls macros directly; Jinja looks at every function first, for what it expects."""

    def call(self, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call a function from a template."""
        if type(function) is not Macro:
            return super().call(function, *args, **kwargs)
        kwargs.pop("_loop_vars", None)
        kwargs.pop("_block_vars", None)
        return function(self.eval_ctx, *args, **kwargs)


class TranslatedEnvironment(Environment):
    """Jinja with a language: templates call it `_`, and look up keys before attributes."""

    context_class = _FastContext

    def __init__(self, loader: BaseLoader, say: Language) -> None:
        super().__init__(
            loader=loader,
            autoescape=True,
            extensions=["jinja2.ext.i18n"],
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._say = say
        self.globals |= say.context()

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return an item of a mapping or an attribute; Jinja tries the attribute first."""
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        template: nodes.Template = _Simplifier(self._say).visit(super()._parse(source, name, filename))
        return template


class _Simplifier(NodeTransformer):
    """Rewrites a parsed template so that less is left to do when it is rendered.

    >>> from jinja2 import DictLoader
    >>> from wonderland.engine.language import ENGLISH
    >>> page = DictLoader({"page": "<b class='{{ 'new' if is_new }}'>{{ _('You & I') }}</b>"})
    >>> environment = TranslatedEnvironment(page, ENGLISH)
    >>> environment.get_template("page").render(is_new=True)
    "<b class='new'>You &amp; I</b>"
    >>> environment.get_template("page").render()
    "<b class=''>You &amp; I</b>"
    """

    def __init__(self, say: Language) -> None:
        self._say = say

    def visit_Call(self, node: nodes.Call) -> nodes.Expr:  # noqa: N802 - named after the node
        """Translate `_("text")`; messages with fields are translated at run time."""
        self.generic_visit(node)
        more = node.kwargs or node.dyn_args is not None or node.dyn_kwargs is not None
        if not isinstance(node.node, nodes.Name) or node.node.name != "_" or more:
            return node
        match node.args:
            case [nodes.Const(value=str(text))]:
                return nodes.Const(self._say(text), lineno=node.lineno)
        return node

    def visit_Output(self, node: nodes.Output) -> list[nodes.Node]:  # noqa: N802 - named after the node
        """Turn `{{ a if b else c }}` into a branch."""
        self.generic_visit(node)
        found: list[nodes.Node] = []
        for part in node.nodes:
            if isinstance(part, nodes.CondExpr):
                found.append(self._branch(part))
            elif found and isinstance(found[-1], nodes.Output):
                found[-1].nodes.append(part)
            else:
                found.append(nodes.Output([part], lineno=node.lineno))
        return found

    def _branch(self, node: nodes.CondExpr) -> nodes.If:
        sides = [
            [] if each is None else self.visit_Output(nodes.Output([each], lineno=node.lineno))
            for each in (node.expr1, node.expr2)
        ]
        return nodes.If(node.test, sides[0], [], sides[1], lineno=node.lineno)
