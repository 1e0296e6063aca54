"""The trained network as the one file that Sapper ships, with its checksum."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.cells.model import FILE
from vision.params import write_checksum

CELLS = Path(__file__).resolve().parents[1] / "vision" / "cells"


def export(net: Any, heat: float, bias: NDArray[np.float32], folder: Path = CELLS) -> str:
    """Writes the calibrated network and its checksum (which is the answer)."""
    import torch

    net = folded(net)
    with torch.no_grad():
        last = net[-1]
        last.weight.mul_(heat)
        last.bias.mul_(heat).add_(torch.from_numpy(bias))
    torch.onnx.export(
        net, (torch.zeros(1, 7, 32, 32),), str(folder / FILE), dynamo=False, opset_version=13,
        input_names=["planes"], output_names=["scores"],
        dynamic_axes={"planes": {0: "n"}, "scores": {0: "n"}},
    )  # fmt: skip
    return write_checksum(folder / FILE)


def folded(net: Any) -> Any:
    """The same network without its normalisations, which become part of the convolutions before them."""
    from torch import nn
    from torch.nn.utils.fusion import fuse_conv_bn_eval

    layers: list[Any] = []
    for layer in net.eval():
        if isinstance(layer, nn.BatchNorm2d):
            layers[-1] = fuse_conv_bn_eval(layers[-1], layer)
        elif not isinstance(layer, nn.Dropout):
            layers.append(layer)
    return nn.Sequential(*layers).eval()
