"""Train the network that proposes boards in a whole picture: `python -m training overview`.

Writes `vision/params/overview.onnx`. The network halves the picture three times, and a fourth time for the
surroundings of a square. The training scenes are turned, mirrored and cropped at random, because lines at
all places and boards of which only a part is visible must be recognised.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.utils.data import DataLoader

from training.drawings.surfaces import Rng
from training.grids.scene_batches import StoredScene, load_scenes
from training.grids.scene_parts import Lines
from training.onnx_file import write_picture_network
from training.storage import PARAMS, Fit, digest_arrays, sized, write_network
from vision.locate.overview import DEEPEST, FILE, PLANES, STEP, TYPICAL, network_input, scaled, vote

HIGH, WIDE = 384, 448  # pixels; a training picture
STEPS, BATCH = 9000, 8
WARM_UP = 0.05  # share of the steps
RATE = 3e-3
NEAR = 0.05  # of a cell; largest error of the lines of a right proposal
WEIGHTS = (2.0, 1.0, 2.0)  # of the losses of the area, the phase and the pitch
SMOOTH = 0.05  # error of a log pitch from which its loss is linear


class _Block(nn.Module):  # type: ignore[misc]  # mypy knows no types of torch
    """A residual 3x3 convolution."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, dilation, dilation, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        return torch.relu(values + self.layers(values))


def _convolution(before: int, after: int, step: int = 1, side: int = 3) -> nn.Sequential:
    layer = nn.Conv2d(before, after, side, step, side // 2, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(after), nn.ReLU(inplace=True))


class OverviewNetwork(nn.Module):  # type: ignore[misc]  # likewise
    """(n, 3, height, width) to (n, PLANES, height / STEP, width / STEP)."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(
            _convolution(3, 16, 2), _convolution(16, 24, 2), _convolution(24, 40, 2),
            _Block(40), _Block(40, 2),
        )  # fmt: skip
        self.far = nn.Sequential(
            _convolution(40, 64, 2), *(_Block(64, dilation) for dilation in (1, 2, 4, 8, 1)),
            nn.Upsample(scale_factor=2, mode="nearest"),
        )  # fmt: skip
        self.last = nn.Sequential(_convolution(104, 40, side=1), _Block(40), nn.Conv2d(40, len(PLANES), 1))

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """The planes of the squares."""
        near = self.near(planes)
        return torch.as_tensor(self.last(torch.cat([near, self.far(near)], 1)))


def squares(xs: Lines, ys: Lines, cut: NDArray[np.bool_], shape: tuple[int, int]) -> NDArray[np.float32]:
    """The right output, (PLANES, squares down, squares across), and a last plane of weights: 0 if unknown.

    Unknown are the squares on partly visible cells.
    """
    high, wide = (size // STEP for size in shape)
    found = np.zeros((len(PLANES) + 1, high, wide), np.float32)
    found[-1] = 1
    if len(xs) < 2:
        return found
    inside, visible = [], []
    for axis, (lines, count) in enumerate(((xs, wide), (ys, high))):
        places, pitch = STEP * np.arange(count) + (STEP - 1) / 2, float(np.diff(lines).mean())
        cell = np.clip(np.searchsorted(lines, places, side="right") - 1, 0, len(lines) - 2)
        phase = 2 * np.pi * (places - lines[cell]) / np.diff(lines)[cell]
        turned = np.s_[:] if axis == 0 else np.s_[:, None]
        found[1 + 2 * axis], found[2 + 2 * axis] = np.sin(phase)[turned], np.cos(phase)[turned]
        found[5 + axis] = np.log(pitch / TYPICAL)
        inside.append((places >= lines[0]) & (places < lines[-1]))
        first, last = lines[0] - pitch * cut[axis], lines[-1] + pitch * cut[axis + 2]
        visible.append((places >= first) & (places < last))
    found[0] = inside[1][:, None] & inside[0]
    found[-1] = 1 - ((visible[1][:, None] & visible[0]) & (found[0] == 0))
    return found


def vary(rng: Rng, scene: StoredScene) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A random part of the scene, (3, HIGH, WIDE), turned and with other colours, and its `squares`."""
    pixels = np.asarray(cv2.imdecode(scene.png, cv2.IMREAD_COLOR))
    xs, ys, cut = scene.xs, scene.ys, scene.cut
    if rng.random() < 0.5:
        pixels, xs, ys, cut = pixels.transpose(1, 0, 2), ys, xs, cut[[1, 0, 3, 2]]
    if rng.random() < 0.5:
        pixels, xs, cut = pixels[:, ::-1], (pixels.shape[1] - xs)[::-1], cut[[2, 1, 0, 3]]
    if rng.random() < 0.5:
        pixels, ys, cut = pixels[::-1], (pixels.shape[0] - ys)[::-1], cut[[0, 3, 2, 1]]
    high, wide = pixels.shape[:2]
    top, left = (
        int(rng.integers(min(0, size - part), max(0, size - part) + 1))
        for size, part in ((high, HIGH), (wide, WIDE))
    )
    part = np.full((3, HIGH, WIDE), rng.integers(0, 256, (3, 1, 1)), np.uint8)
    y, y2, x, x2 = max(0, top), min(high, top + HIGH), max(0, left), min(wide, left + WIDE)
    for plane, channel in enumerate(rng.permutation(3).tolist()):
        part[plane, y - top : y2 - top, x - left : x2 - left] = pixels[y:y2, x:x2, channel]
    if rng.random() < 0.3:
        part = 255 - part
    return part, squares(xs - left, ys - top, cut, (HIGH, WIDE))


class _Variations:
    """`steps` batches of network inputs and `squares`, the same in every run."""

    def __init__(self, scenes: Sequence[StoredScene], steps: int) -> None:
        rng = np.random.default_rng(1)
        rounds = -(-steps * BATCH // len(scenes))
        self._scenes = scenes
        self._order = np.concatenate([rng.permutation(len(scenes)) for _ in range(rounds)])[: steps * BATCH]

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, number: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        part, wanted = vary(np.random.default_rng((1, number)), self._scenes[self._order[number]])
        return scaled(part), wanted


def _losses(found: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """The loss of the area, the phase and the pitch, (3,). The latter two count inside of boards."""
    board = wanted[:, 0]
    count = board.sum() + 1
    area = nn.functional.binary_cross_entropy_with_logits(found[:, 0], board, weight=wanted[:, -1])
    phase = (((found[:, 1:5] - wanted[:, 1:5]) ** 2).sum(1) * board).sum() / count
    apart = nn.functional.smooth_l1_loss(found[:, 5:7], wanted[:, 5:7], reduction="none", beta=SMOOTH)
    return torch.stack((area, phase, (apart.sum(1) * board).sum() / count))


def train(scenes: Sequence[StoredScene]) -> OverviewNetwork:
    """Train on random parts of the scenes."""
    begin, steps = time.time(), sized(STEPS)
    network: OverviewNetwork = OverviewNetwork().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=WARM_UP)
    total = np.zeros(3)
    # twice as fast; slower than float32 on processors without these instructions
    has_bfloat16 = "amx_bf16" in Path("/proc/cpuinfo").read_text("ascii")
    batches = DataLoader(_Variations(scenes, steps), BATCH, num_workers=1)
    for step, (planes, wanted) in enumerate(batches, 1):
        with torch.autocast("cpu", torch.bfloat16, enabled=has_bfloat16):
            found = network(planes.contiguous(memory_format=torch.channels_last))
        losses = _losses(found.float(), wanted)
        loss = (losses * torch.tensor(WEIGHTS)).sum()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        schedule.step()
        total += losses.detach().numpy()
        if step % 200 == 0:
            print(f"step {step}: {total / 200}, {time.time() - begin:.0f} s", flush=True)
            total[:] = 0
    network.eval()
    return network


def measure(network: OverviewNetwork, scenes: Sequence[StoredScene]) -> dict[str, float | int]:
    """How many complete boards are proposed exactly, and in how many other scenes a board is proposed."""
    boards = right = others = false = 0
    for scene in scenes:
        pixels = np.asarray(cv2.imdecode(scene.png, cv2.IMREAD_COLOR))
        with torch.no_grad():
            found = vote(network(torch.from_numpy(network_input(pixels)))[0].numpy())
        if not len(scene.xs):
            others, false = others + 1, false + bool(found)
        elif not scene.cut.any():
            boards += 1
            right += any(_is_near(grid.xs, scene.xs) and _is_near(grid.ys, scene.ys) for grid in found)
    return {"boards": boards, "right proposals": right, "scenes without a board": others, "proposals": false}


def _is_near(found: Sequence[float], true: Lines) -> bool:
    allowed = 1 + NEAR * float(np.diff(true).mean())
    return len(found) == len(true) and float(np.abs(np.array(found) - true).max()) <= allowed


def main() -> None:
    """Draw, train, measure on the validation families, and write."""
    torch.manual_seed(1)
    torch.set_num_threads(1)  # more threads produce another network
    cv2.setNumThreads(1)
    scenes, held = load_scenes("train"), load_scenes("validation")
    network = train(scenes)
    write_picture_network(network, DEEPEST, PARAMS / FILE)
    data = f"{len(scenes)} drawn scenes"
    digest = digest_arrays(*(each for scene in scenes for each in (scene.png, scene.xs, scene.ys)))
    write_network(FILE, Fit(data, digest, measure(network, held)))
