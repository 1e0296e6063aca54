"""Write a trained network as an ONNX file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval


def write_onnx(net: Any, planes: int, side: int, path: Path) -> None:
    """Write a network with inputs (n, planes, side, side)."""
    torch.onnx.export(
        fold_normalisation(net), (torch.zeros(1, planes, side, side),), str(path), dynamo=False,
        opset_version=13, input_names=["planes"], output_names=["scores"],
        dynamic_axes={"planes": {0: "n"}, "scores": {0: "n"}},
    )  # fmt: skip


def write_picture_network(net: Any, multiple: int, path: Path) -> None:
    """Write a network with one picture as its input, (1, 3, height, width): multiples of `multiple`."""
    size = {2: "height", 3: "width"}
    torch.onnx.export(
        net.eval(), (torch.zeros(1, 3, 8 * multiple, 8 * multiple),), str(path), dynamo=False,
        opset_version=13, input_names=["planes"], output_names=["squares"],
        dynamic_axes={"planes": size, "squares": size},
    )  # fmt: skip


def fold_normalisation(net: Any) -> Any:
    """The network without dropout, and with each normalisation folded into the convolution before it."""
    layers: list[Any] = []
    for layer in net.eval():
        if isinstance(layer, nn.BatchNorm2d):
            layers[-1] = fuse_conv_bn_eval(layers[-1], layer)
        elif not isinstance(layer, nn.Dropout):
            layers.append(layer)
    return nn.Sequential(*layers).eval()
