"""Tests of pages in a real browser: scripts that inspect a page, and their results."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bot.recording.recording import Recording
from bot.show.story import GameStory, tell_story
from strategies import load_strategies

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here: apt-get install chromium")
AXE = find_spec("axe_core_python")
needs_axe = pytest.mark.skipif(AXE is None, reason="no accessibility checker: pip install axe-core-python")
PROBE = """
<script>
const wait = setInterval(async () => {
  if (!document.body.dataset.ready) return;
  clearInterval(wait);
  const found = {};
  const press = (key) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true }));
  const text = (id) => document.getElementById(id).textContent;
  const until = async (holds) => { while (!holds()) await new Promise((done) => setTimeout(done, 5)); };
  const probes = { %s };
  for (const [name, probe] of Object.entries(probes)) found[name] = await probe();
  const out = document.createElement("pre");
  out.id = "found"; out.textContent = JSON.stringify(found);
  document.body.append(out);
}, 5);
</script>
"""


def opened(page: str, probes: dict[str, str], folder: Path) -> dict[str, Any]:
    """Run the probes in the page, in order, after it is ready; return their results by name."""
    (folder / "page.html").write_text(with_probes(page, probes), encoding="utf-8")
    return visit((folder / "page.html").as_uri(), folder)


def with_probes(page: str, probes: dict[str, str]) -> str:
    """The page with a script that runs the probes (JavaScript).

    A probe may call `press(key)`, which sends a key to the focused element, `text(id)`, the text of an
    element, and `await until(condition)`.
    """
    script = PROBE % ", ".join(f"{name}: async () => {{ {code} }}" for name, code in probes.items())
    return page.replace("</body>", script + "</body>")


def with_axe(page: str, before: str = "") -> str:
    """The page with the checker axe-core, whose probe `axe` returns violations; `before` is run first."""
    assert AXE is not None
    assert AXE.origin is not None
    script = Path(AXE.origin).with_name("axe.min.js").read_text(encoding="utf-8")
    page = page.replace("</body>", f"<script>{script}</script></body>")
    found = "(await axe.run()).violations.map((each) => [each.id, each.nodes[0].html])"
    return with_probes(page, {"axe": f"{before} return {found}"})


def visit(address: str, folder: Path) -> dict[str, Any]:
    """Open a page that has probes and return their results by name. The console must stay empty."""
    assert CHROMIUM
    words = [
        CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
        f"--user-data-dir={folder / 'profile'}", "--window-size=1280,900", "--virtual-time-budget=5000",
        "--allow-file-access-from-files",
        "--dump-dom", address,
    ]  # fmt: skip
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True)
    assert "CONSOLE" not in done.stderr, done.stderr
    (found,) = re.findall(r'<pre id="found">(.*?)</pre>', done.stdout)
    loaded: dict[str, Any] = json.loads(found.replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&"))
    return loaded


def data_of(page: str) -> dict[str, Any]:
    (data,) = re.findall(r'<script id="data" type="application/json">(.*?)</script>', page)
    loaded: dict[str, Any] = json.loads(data)
    return loaded


def recorded_story(folder: Path) -> GameStory:
    """The story of a recording."""
    return tell_story(Recording(folder), load_strategies())
