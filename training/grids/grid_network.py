"""Train the judge of cut-outs and write it as one ONNX file: `python -m training grid-judge`."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from training.grids.grid_samples import load_cut_outs
from vision.locate.judge import CLASSES, SIDE, network_input
from vision.params import write_checksum

WIDTHS = (16, 24, 32, 48)  # channels of the four convolutions
HIDDEN = 48
EPOCHS, BATCH = 8, 256
OUT = Path(__file__).parents[2] / "vision/params/grid_cells.onnx"


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


def main(out: Path = OUT) -> None:
    """Draw, train, evaluate, and write."""
    torch.manual_seed(1)
    torch.set_num_threads(1)  # more threads produce another network
    cut, kinds = load_cut_outs("train")
    held, held_kinds = load_cut_outs("validation")
    print(f"{len(cut)} cut-outs by class: {np.bincount(kinds)}", flush=True)
    network = train(cut, kinds)
    with torch.no_grad():
        seen = torch.cat(
            [network(torch.from_numpy(network_input(part))) for part in np.array_split(held, 40)]
        )
    print(f"validation {nn.functional.cross_entropy(seen, torch.from_numpy(held_kinds)).item():.4f}")
    table = np.zeros((len(CLASSES), len(CLASSES)), int)
    np.add.at(table, (held_kinds, seen.argmax(1).numpy()), 1)
    for name, row in zip(CLASSES, table, strict=True):
        print(f"{name:8}", " ".join(f"{count:6}" for count in row))
    write_network(network, out)
    print(f"checksum of {out.name}: {write_checksum(out)}")


def train(cut: NDArray[np.uint8], kinds: NDArray[np.int64]) -> nn.Sequential:
    """Train for EPOCHS epochs with permuted and inverted colours."""
    begin, network = time.time(), new_network()
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
            value = loss(network(torch.from_numpy(network_input(chosen))), torch.from_numpy(kinds[some]))
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            schedule.step()
            total += value.item()
        print(f"epoch {epoch}: {total / (len(order) // BATCH):.4f}, {time.time() - begin:.0f} s", flush=True)
    return network.eval()


def write_network(network: nn.Sequential, path: Path) -> None:
    """Write the network as ONNX with the normalisations folded into the convolutions."""
    nodes, values = [], []
    name = "cells"
    layers = list(network)
    for index, layer in enumerate(layers):
        after = f"v{index}"
        if isinstance(layer, nn.Conv2d):
            norm = layers[index + 1]
            scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            weight = (layer.weight * scale[:, None, None, None]).detach().numpy()
            bias = (norm.bias - norm.running_mean * scale).detach().numpy()
            values += [
                numpy_helper.from_array(weight, f"w{index}"),
                numpy_helper.from_array(bias, f"b{index}"),
            ]
            step = list(layer.stride)
            nodes.append(
                helper.make_node(
                    "Conv",
                    [name, f"w{index}", f"b{index}"],
                    [after],
                    kernel_shape=[3, 3],
                    strides=step,
                    pads=[1, 1, 1, 1],
                )
            )
        elif isinstance(layer, nn.ReLU):
            nodes.append(helper.make_node("Relu", [name], [after]))
        elif isinstance(layer, nn.Flatten):
            nodes.append(helper.make_node("Flatten", [name], [after], axis=1))
        elif isinstance(layer, nn.Linear):
            values += [
                numpy_helper.from_array(layer.weight.detach().numpy(), f"w{index}"),
                numpy_helper.from_array(layer.bias.detach().numpy(), f"b{index}"),
            ]
            nodes.append(helper.make_node("Gemm", [name, f"w{index}", f"b{index}"], [after], transB=1))
        else:
            continue
        name = after
    inputs = helper.make_tensor_value_info("cells", TensorProto.FLOAT, ["n", 3, SIDE, SIDE])
    outputs = helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", len(CLASSES)])
    graph = helper.make_graph(nodes, "cells", [inputs], [outputs], values)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())
