"""What is remembered of how programs draw: it makes reading quicker, and never overrules the picture."""

from vision.skins.learning import learn, learn_tiles
from vision.skins.memory import Memory, recognise
from vision.skins.skin import (
    SUFFIX,
    Skin,
    Tile,
    known_skins,
    load_known_skins,
    load_skin,
    skins_in,
    user_skins_folder,
)

__all__ = [
    "SUFFIX",
    "Memory",
    "Skin",
    "Tile",
    "known_skins",
    "learn",
    "learn_tiles",
    "load_known_skins",
    "load_skin",
    "recognise",
    "skins_in",
    "user_skins_folder",
]
