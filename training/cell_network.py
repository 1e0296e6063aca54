"""The network of the cell model: training, calibration and export, in less than an hour on two cores."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from training.cell_dataset import Cells
from training.onnx_file import write_onnx
from training.storage import PARAMS
from vision.cells.model import CLASSES, FILE

BATCH = 384
RATE = 4e-3  # highest learning rate of AdamW
SAVED = 500  # steps between two checkpoints
HIT = CLASSES.index("!")


def new_network() -> Any:
    """The untrained network: (n, 7, 32, 32) planes to (n, 16) scores, 0.35 million weights."""

    def block(into: int, out: int, side: int, step: int) -> list[Any]:
        return [nn.Conv2d(into, out, side, step, side // 2, bias=False), nn.BatchNorm2d(out), nn.ReLU()]

    return nn.Sequential(
        *block(7, 32, 3, 2), *block(32, 64, 3, 2), *block(64, 96, 3, 1), *block(96, 112, 3, 1),
        nn.MaxPool2d(2), nn.Flatten(),
        nn.Dropout(0.15), nn.Linear(112 * 16, 96), nn.ReLU(), nn.Linear(96, len(CLASSES)),
    )  # fmt: skip


def torch_planes(pictures: Any) -> Any:
    """`vision.cells.model.input_planes` for a (n, 3, 32, 32) float tensor of 0..255."""
    mean = pictures.mean((2, 3), keepdim=True)
    spread = (pictures - mean).pow(2).mean((1, 2, 3), keepdim=True).sqrt()
    flat = torch.cat([mean / 255, torch.log1p(spread) / 5], 1).expand(-1, -1, 32, 32)
    return torch.cat([(pictures - mean) / (spread + 8), flat], 1)


def augment(pictures: Any, kinds: Any, dice: Any) -> Any:
    """Planes of a batch, shifted by a pixel, with swapped or inverted colours (except `!`, which is red)."""
    count = len(pictures)
    swaps = torch.tensor([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    is_swapped = torch.rand(count, generator=dice) < 0.3
    way = torch.where(is_swapped, torch.randint(0, 6, (count,), generator=dice), 0)
    way[(kinds == HIT)] = 0
    x, y = (int(torch.randint(-1, 2, (1,), generator=dice)) for _ in range(2))
    swapped = pictures[torch.arange(count)[:, None], swaps[way]].float()
    padded = nn.functional.pad(swapped, (1, 1, 1, 1), mode="replicate")
    gain = 1 + 0.08 * torch.randn(count, 1, 1, 1, generator=dice)
    shift = 6 * torch.randn(count, 3, 1, 1, generator=dice)
    inverted = (torch.rand(count, generator=dice) < 0.15) & (kinds > 0) & (kinds < HIT - 1)
    turned = inverted[:, None, None, None]
    gain, shift = torch.where(turned, -gain, gain), torch.where(turned, 255 - shift, shift)
    return torch_planes((padded[:, :, 1 + y : 33 + y, 1 + x : 33 + x] * gain + shift).clamp_(0, 255))


def train(cells: Cells, steps: int, check: Cells, checkpoint: Path) -> Any:
    """Train a network with one cycle of the learning rate; print the accuracy on `check` on the way.

    An interrupted training continues from `checkpoint`, which is removed at the end.
    """
    torch.manual_seed(0)
    torch.set_num_threads(2)  # another number produces another network
    dice = torch.Generator().manual_seed(0)
    net = new_network().to(memory_format=torch.channels_last)
    pictures = torch.from_numpy(cells[0]).permute(0, 3, 1, 2)
    kinds = torch.from_numpy(cells[1].astype(np.int64))
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=0.03)
    started, step, loss_mean = time.monotonic(), 0, 0.0
    if checkpoint.exists():
        step, loss_mean, *states = torch.load(checkpoint)
        for each, state in zip((net, optimiser), states[:2], strict=True):
            each.load_state_dict(state)
        dice.set_state(states[2])
        torch.set_rng_state(states[3])
    while step < steps:
        done = step / steps
        rate = RATE * min(1.0, done / 0.08 + 0.02) * (0.5 + 0.5 * float(np.cos(np.pi * done)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        chosen = torch.randint(0, len(kinds), (BATCH,), generator=dice)
        goal = kinds[chosen]
        batch = augment(pictures[chosen], goal, dice).contiguous(memory_format=torch.channels_last)
        loss = nn.functional.cross_entropy(net(batch), goal)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        step += 1
        loss_mean += (loss.item() - loss_mean) * 0.02
        if step % SAVED == 0:
            took = time.monotonic() - started
            right = accuracy(net, check)
            print(f"{step} of {steps}, {took:.0f} s, loss {loss_mean:.3f}, {right:.4f}", flush=True)
            states = [net.state_dict(), optimiser.state_dict(), dice.get_state(), torch.get_rng_state()]
            torch.save([step, loss_mean, *states], checkpoint)
    checkpoint.unlink(missing_ok=True)
    return net.eval()


def scores(net: Any, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Scores of pictures (n, 32, 32, 3) before calibration."""
    was = net.training
    net.eval()
    found = []
    with torch.no_grad():
        for k in range(0, len(pictures), 1024):
            batch = torch.from_numpy(pictures[k : k + 1024]).permute(0, 3, 1, 2).float()
            found.append(net(torch_planes(batch)).numpy())
    net.train(was)
    return np.concatenate(found)


def accuracy(net: Any, cells: Cells) -> float:
    """Share (0..1) of the cells that the network classifies correctly."""
    return float((scores(net, cells[0]).argmax(axis=1) == cells[1]).mean())


def log_loss(net: Any, cells: Cells) -> float:
    """Mean negative log-probability of the true classes, nats."""
    found = scores(net, cells[0]).astype(np.float64)
    found -= np.logaddexp.reduce(found, axis=1, keepdims=True)
    return float(-found[np.arange(len(found)), cells[1]].mean())


def calibrate(net: Any, cells: Cells) -> tuple[float, NDArray[np.float32]]:
    """Fit the factor and the class biases that make the confidence on these cells match their accuracy."""
    found = torch.from_numpy(scores(net, cells[0]))
    kinds = torch.from_numpy(cells[1].astype(np.int64))
    heat = torch.zeros(1, requires_grad=True)
    bias = torch.zeros(len(CLASSES), requires_grad=True)
    optimiser = torch.optim.LBFGS([heat, bias], max_iter=100)

    def closure() -> Any:
        optimiser.zero_grad()
        ridge = 1e-3 * bias.square().sum()
        loss = nn.functional.cross_entropy(found * heat.exp() + bias, kinds) + ridge
        loss.backward()
        return loss

    optimiser.step(closure)
    return float(heat.detach().exp()), np.asarray(bias.detach().numpy(), np.float32)


def export(net: Any, heat: float, bias: NDArray[np.float32]) -> None:
    """Calibrate the network and write it as ONNX."""
    with torch.no_grad():
        last = net[-1]
        last.weight.mul_(heat)
        last.bias.mul_(heat).add_(torch.from_numpy(bias))
    write_onnx(net, 7, 32, PARAMS / FILE)
