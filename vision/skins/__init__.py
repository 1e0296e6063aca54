"""What is remembered of how programs draw: it adds to what the picture says, and never overrules it."""

from vision.skins.groups import Group, find_groups, relabelled, renamed
from vision.skins.learning import learn, learn_tiles
from vision.skins.memory import Memory, recognise
from vision.skins.sheet import contact_sheet, words_for
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
    "Group",
    "Memory",
    "Skin",
    "Tile",
    "contact_sheet",
    "find_groups",
    "known_skins",
    "learn",
    "learn_tiles",
    "load_known_skins",
    "load_skin",
    "recognise",
    "relabelled",
    "renamed",
    "skins_in",
    "user_skins_folder",
    "words_for",
]
