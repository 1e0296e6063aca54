"""Self-contained HTML pages: style, script and data in one file without network access.

A page belongs to a package with `page.html` (the body, a `string.Template`), `page.css` and, if the page has
data, `page.js`, which reads the data from the element `data`. If the data have `coordinates`, its functions
`cellName` and `renamed` show cells in them.
"""

from __future__ import annotations

import json
from html import escape
from importlib import resources
from string import Template
from typing import Any


def render_page(
    package: str,
    title: str,
    data: dict[str, Any] | None = None,
    mark: str = "",
    connects: bool = False,
    **parts: str,
) -> str:
    """Render the page of a package; `parts` are HTML for the other placeholders of its body.

    `mark` is a comment in the first line, by which a program can recognize the file. With `connects`, the
    page may send requests to its server.
    """
    body = Template(_text(package, "page.html")).substitute(parts, title=escape(title))
    if data is not None:
        body += f'<script id="data" type="application/json">{_script_json(data)}</script>\n'
        names = _text("bot.show", "webpage.js") if "coordinates" in data else ""
        body += f"<script>\n{names}</script>\n<script>\n{_text(package, 'page.js')}\n</script>"
    return Template(_text("bot.show", "webpage.html")).substitute(
        mark=f"<!-- {mark} -->" if mark else "",
        title=escape(title),
        connect="'self'" if connects else "'none'",
        style=_text("bot.show", "webpage.css") + _text(package, "page.css"),
        body=body,
    )


def _text(package: str, name: str) -> str:
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")


def _script_json(data: dict[str, Any]) -> str:
    """Encode data as JSON that is safe inside a script element."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
