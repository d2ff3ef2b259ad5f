"""The tags that place sections: ``{% section 'footer' %}`` and ``{% sections 'index' %}``."""

from collections.abc import Callable, Iterable
from typing import Any, Final, TextIO, cast

from liquid.ast import Node
from liquid.builtin.expressions import StringLiteral, parse_primitive
from liquid.context import RenderContext
from liquid.exceptions import LiquidSyntaxError
from liquid.expression import Expression
from liquid.stream import TokenStream
from liquid.tag import Tag
from liquid.token import TOKEN_TAG, Token

# The global under which a rendering provides ``(tag, name, context) -> markup``. No name of Liquid has a space.
SECTION_RENDERER: Final = "section renderer"
SectionRenderer = Callable[[str, str, RenderContext], str]


class SectionNode(Node):
    """The place of one section, or of the sections that an owner has arranged."""

    def __init__(self, token: Token, name: Expression) -> None:
        super().__init__(token)
        self.name = name

    def expressions(self) -> Iterable[Expression]:
        """Yield the name."""
        yield self.name

    def render_to_output(self, context: RenderContext, buffer: TextIO) -> int:
        """Write the markup of the sections."""
        render = cast("SectionRenderer", context.globals[SECTION_RENDERER])
        return buffer.write(render(self.token.value, str(self.name.evaluate(context)), context))


class SectionTag(Tag):
    """``{% section 'name' %}``: a section that the theme places."""

    name = "section"
    block = False

    def parse(self, stream: TokenStream) -> Node:
        """Parse the name. Raises ``LiquidSyntaxError`` unless it is a string."""
        token = stream.eat(TOKEN_TAG)
        tokens: Any = stream.into_inner(tag=token, eat=False)
        name = parse_primitive(self.env, tokens)
        if not isinstance(name, StringLiteral):
            raise LiquidSyntaxError("a section is named by a text", token=token)
        tokens.expect_eos()
        return SectionNode(token, name)


class SectionsTag(SectionTag):
    """``{% sections 'name' %}``: the sections that the owner has arranged under a name."""

    name = "sections"


TAGS: Final = (SectionTag, SectionsTag)
