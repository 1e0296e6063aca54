"""Training, validation and test families of fonts, icons and drawing styles.

A family is a Debian package of fonts, an npm package of icons, or a drawing style. The split was fixed before
any training. A theme uses the families of its split only. Common elements (a plain colour, no edge) belong to
all splits. Families with the same outlines (Liberation and Arimo, DejaVu and Vera, TeX Gyre and URW) are in
the same split. The calibration of the cell model has fonts and icons of its own, and the drawing styles of
the training.
"""

from __future__ import annotations

SPLITS = ("train", "validation", "test", "calibration")

FONTS = {
    "train": """
        fonts-dejavu-core fonts-dejavu-extra fonts-liberation fonts-noto-core fonts-noto-mono
        fonts-freefont-ttf fonts-cantarell fonts-roboto-unhinted fonts-roboto-slab fonts-open-sans
        fonts-firacode fonts-inconsolata fonts-terminus-otb fonts-droid-fallback fonts-urw-base35
        fonts-linuxlibertine fonts-comic-neue fonts-oxygen fonts-cabin fonts-dosis fonts-quicksand
        fonts-bebas-neue fonts-league-spartan fonts-dseg fonts-vollkorn fonts-crosextra-carlito
        fonts-crosextra-caladea fonts-anonymous-pro fonts-mononoki fonts-monofur fonts-proggy
        fonts-pc fonts-pc-extra fonts-amiga fonts-sixtyfour fonts-atarismall fonts-unifont
        fonts-humor-sans fonts-dkg-handwriting fonts-breip fonts-femkeklaver fonts-kristi
        fonts-dancingscript fonts-lobster fonts-ocr-a fonts-jura fonts-eurofurence fonts-engadget
        fonts-sil-andika fonts-sil-charis fonts-averia-sans-gwf fonts-averia-serif-gwf
        fonts-cherrybomb fonts-go fonts-opendyslexic fonts-tlwg-loma-ttf fonts-tlwg-purisa-ttf
        fonts-tlwg-typist-ttf fonts-ubuntu-title fonts-roadgeek fonts-radisnoir fonts-fanwood
        fonts-junction fonts-solide-mirage fonts-aenigma fonts-dustin fonts-sjfonts xfonts-base
        xfonts-75dpi xfonts-terminus xfonts-x3270-misc fonts-symbola
    """,
    "validation": """
        fonts-inter fonts-jetbrains-mono fonts-adf-gillius fonts-adf-romande fonts-adf-tribun
        fonts-adf-universalis fonts-spleen fonts-misaki fonts-tuffy fonts-sora fonts-stix
        fonts-agave fonts-georgewilliams fonts-rufscript fonts-vlgothic fonts-allerta
        fonts-leckerli-one xfonts-mplus
    """,
    "test": """
        fonts-manrope fonts-karla fonts-paratype fonts-cmu fonts-fantasque-sans fonts-glasstty
        fonts-creep2 fonts-national-park fonts-quattrocento fonts-essays1743 fonts-kaushanscript
        fonts-ocr-b fonts-3270 fonts-osifont fonts-mplus fonts-comfortaa fonts-cabinsketch
        fonts-tiresias fonts-dotgothic16 xfonts-jmk fonts-clear-sans fonts-hermit fonts-league-mono
        xfonts-ayu
    """,
    "calibration": """
        fonts-lato fonts-hack fonts-play fonts-b612 fonts-courier-prime fonts-ebgaramond
        fonts-monoid fonts-yanone-kaffeesatz fonts-staypuft fonts-gnutypewriter xfonts-kapl
    """,
}

# npm packages @iconify-json/NAME
ICONS = {
    "train": """
        game-icons twemoji noto mdi fa6-solid bi ri emojione emojione-monotone fluent-emoji-flat
        fluent-emoji-high-contrast tabler pixelarticons icon-park ph carbon ion
        flat-color-icons memory
    """,
    "validation": "openmoji bx bxs pixel mingcute",
    "test": "streamline-emojis streamline-pixel solar iconoir uil material-symbols",
    "calibration": "fxemoji lucide",
}

# fill of a cell; "plain" belongs to all splits
FILLS = {
    "train": "gradient noise dither stripes grass clouds wood speckle weave cracks rings photo waves",
    "validation": "hatch bricks",
    "test": "marble halftone scanlines",
}

# edge of a cell; "none" belongs to all splits
EDGES = {
    "train": "bevel outline lines dotted tile dots gloss",
    "validation": "inset soft",
    "test": "etched pillow dashed",
}

# drawn flags (shape of the cloth) and mines (shape of the body)
FLAGS = {
    "train": "triangle rectangle wave thin pennant",
    "validation": "swallowtail",
    "test": "banner curved",
}
MINES = {"train": "ball bomb star asterisk", "validation": "gear", "test": "cross_mine burst_ball"}

# landscapes on the cells of some themes
SCENES = {"train": "mound stones slab tuft", "validation": "bush", "test": "planks"}

# shapes behind the numbers of some themes
PLATES = {"train": "disc plank shield", "validation": "tag", "test": "ribbon"}


def families(kind: dict[str, str], split: str) -> tuple[str, ...]:
    """The families of one kind (FONTS, ICONS ...) in one of SPLITS."""
    return tuple(kind.get(split, kind["train"]).split())
