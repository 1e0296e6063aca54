"""Train the judge of cut-outs and write it as one ONNX file: `python -m training grid-judge`."""

from __future__ import annotations

import time

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from training.grids.grid_samples import load_cut_outs
from training.onnx_file import write_onnx
from training.storage import PARAMS, Fit, digest_arrays, write_network
from vision.locate.judge import CLASSES, FILE, SIDE, network_input

WIDTHS = (16, 24, 32, 48)  # channels of the four convolutions
HIDDEN = 48
EPOCHS, BATCH = 8, 256


def new_network() -> nn.Sequential:
    """The network: four 3x3 convolutions, three of them with stride 2, and one hidden layer."""
    one, two, three, four = WIDTHS

    def conv(before: int, after: int, step: int) -> list[nn.Module]:
        return [nn.Conv2d(before, after, 3, step, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]

    side = SIDE // 8
    return nn.Sequential(
        *conv(3, one, 2), *conv(one, two, 2), *conv(two, three, 1), *conv(three, four, 2), nn.Flatten(),
        nn.Linear(four * side * side, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, len(CLASSES)),
    )  # fmt: skip


def main() -> None:
    """Draw, train, measure on the validation families, and write."""
    torch.manual_seed(1)
    torch.set_num_threads(1)  # more threads produce another network
    cut, kinds = load_cut_outs("train")
    held, held_kinds = load_cut_outs("validation")
    print(f"{len(cut)} cut-outs by class: {np.bincount(kinds)}", flush=True)
    network = train(cut, kinds)
    with torch.no_grad():
        parts = [network(torch.from_numpy(network_input(part))) for part in np.array_split(held, 40)]
    seen = torch.cat(parts)
    table = np.zeros((len(CLASSES), len(CLASSES)), int)
    np.add.at(table, (held_kinds, seen.argmax(1).numpy()), 1)
    for name, row in zip(CLASSES, table, strict=True):
        print(f"{name:8}", " ".join(f"{count:6}" for count in row))
    write_onnx(network, 3, SIDE, PARAMS / FILE)
    metrics = {
        "cut-outs": len(held),
        "right": float(table.trace() / table.sum()),
        "nats per cut-out": nn.functional.cross_entropy(seen, torch.from_numpy(held_kinds)).item(),
    }
    write_network(FILE, Fit(f"{len(cut)} drawn cut-outs", digest_arrays(cut, kinds), metrics))


def train(cut: NDArray[np.uint8], kinds: NDArray[np.int64]) -> nn.Sequential:
    """Train for EPOCHS epochs with permuted and inverted colours."""
    begin, network = time.time(), new_network().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(network.parameters(), 3e-3, weight_decay=0.02)
    steps = EPOCHS * (len(cut) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=steps)
    loss = nn.CrossEntropyLoss()
    rng = np.random.default_rng(1)
    for epoch in range(EPOCHS):
        network.train()
        order, total = rng.permutation(len(cut)), 0.0
        for at in range(0, len(order) - BATCH + 1, BATCH):
            some = order[at : at + BATCH]
            chosen = cut[some][..., rng.permutation(3)]
            if rng.random() < 0.3:
                chosen = 255 - chosen
            planes = torch.from_numpy(network_input(chosen))
            seen = network(planes.contiguous(memory_format=torch.channels_last))
            value = loss(seen, torch.from_numpy(kinds[some]))
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            schedule.step()
            total += value.item()
        print(f"epoch {epoch}: {total / (len(order) // BATCH):.4f}, {time.time() - begin:.0f} s", flush=True)
    return network.eval()
