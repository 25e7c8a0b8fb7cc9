"""Programs that use the features of PyTorch/XLA's documentation. Each returns numbers, such as
losses, that do not depend on the device.

    torch_xla_programs.py NAME     runs one program on the device PJRT_DEVICE and prints JSON
"""
import json
import os
import pathlib
import sys
import tempfile

import numpy as np
import torch
import torch.nn.functional as F
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr
from torch import nn


class Digits(nn.Module):
    """The network of PyTorch/XLA's MNIST example."""

    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(1, 10, 5), nn.BatchNorm2d(10)
        self.conv2, self.bn2 = nn.Conv2d(10, 20, 5), nn.BatchNorm2d(20)
        self.fc1, self.fc2 = nn.Linear(320, 50), nn.Linear(50, 10)

    def forward(self, x):
        x = self.bn1(F.relu(F.max_pool2d(self.conv1(x), 2)))
        x = self.bn2(F.relu(F.max_pool2d(self.conv2(x), 2)))
        return F.log_softmax(self.fc2(F.relu(self.fc1(torch.flatten(x, 1)))), 1)


def batches(count, *shape, classes=10):
    """Returns batches of random images and labels, which are equal on all devices."""
    random = torch.Generator().manual_seed(1)
    return [(torch.randn(*shape, generator=random),
             torch.randint(0, classes, shape[:1], generator=random)) for _ in range(count)]


def train(model, loader, loss_of, rate=0.01):
    optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=0.5)
    losses = []
    for image, label in loader:
        optimizer.zero_grad()
        loss = loss_of(model(image), label)
        loss.backward()
        xm.optimizer_step(optimizer)
        torch_xla.sync()
        losses.append(loss)
    return [loss.item() for loss in losses]


def mnist():
    model = Digits().to(torch_xla.device())
    loader = pl.MpDeviceLoader(batches(8, 32, 1, 28, 28), torch_xla.device())
    losses = train(model, loader, F.nll_loss)
    model.eval()
    (image, label), = batches(1, 64, 1, 28, 28)
    with torch.no_grad():
        test = F.nll_loss(model(image.to("xla")), label.to("xla")).item()
    return [*losses, test]


class Bottleneck(nn.Module):
    """A block of ResNet-50."""

    def __init__(self, inputs, width, stride=1):
        super().__init__()
        outputs = 4 * width
        self.body = nn.Sequential(
            nn.Conv2d(inputs, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, outputs, 1, bias=False), nn.BatchNorm2d(outputs))
        self.short = nn.Identity() if inputs == outputs and stride == 1 else nn.Sequential(
            nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        return F.relu(self.body(x) + self.short(x))


def resnet50():
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(),
              nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for width, count in ((64, 3), (128, 4), (256, 6), (512, 3)):
        for block in range(count):
            layers.append(Bottleneck(inputs, width, 2 if width > 64 and block == 0 else 1))
            inputs = 4 * width
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 1000)]
    model = nn.Sequential(*layers).to(torch_xla.device())
    loader = pl.MpDeviceLoader(batches(2, 8, 3, 96, 96, classes=1000), torch_xla.device())
    return train(model, loader, F.cross_entropy, rate=1e-5)


def launch_here():
    with tempfile.TemporaryDirectory() as folder:
        torch_xla.launch(launched, args=(pathlib.Path(folder), mnist), debug_single_process=True)
        return json.loads((pathlib.Path(folder) / "0").read_text())


def launched(index, folder, program):
    torch.manual_seed(0)
    (folder / str(index)).write_text(json.dumps(program()))


def classifier():
    """Returns a model with constant weights. Random ones would differ between replicas, because
    their threads share one generator."""
    model = nn.Sequential(nn.Linear(784, 10), nn.LogSoftmax(1))
    with torch.no_grad():
        model[0].weight.copy_(torch.linspace(-0.1, 0.1, 7840).reshape(10, 784))
        model[0].bias.zero_()
    return model


def part(replica):
    """Returns the parts of the batches for one of four replicas."""
    return [(image[replica::4], label[replica::4]) for image, label in batches(4, 32, 784)]


def replica():
    loader = pl.MpDeviceLoader(part(xr.global_ordinal()), torch_xla.device())
    return train(classifier().to(torch_xla.device()), loader, F.nll_loss)


def launch():
    """Runs four replicas, each on a thread and a device, in a new process. On PyTorch/XLA's CPU
    device that process fails if the machine has fewer cores than devices. There, PyTorch computes
    the expected numbers."""
    if os.environ["PJRT_DEVICE"] == "CPU":
        return replicas_by_turns()
    with tempfile.TemporaryDirectory() as folder:
        torch_xla.launch(launched, args=(pathlib.Path(folder), replica))
        files = sorted(pathlib.Path(folder).iterdir())
        return [json.loads(file.read_text()) for file in files]


def replicas_by_turns():
    model = classifier()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.5)
    losses = [[] for _ in range(4)]
    for step in range(4):
        optimizer.zero_grad()
        for index in range(4):
            image, label = part(index)[step]
            loss = F.nll_loss(model(image), label)
            (loss / 4).backward()
            losses[index].append(loss.item())
        optimizer.step()
    return losses


def spmd():
    """Shards the batches over all devices, as PyTorch/XLA's guide to SPMD describes."""
    xr.use_spmd()
    count = xr.global_runtime_device_count()
    mesh = xs.Mesh(np.arange(count), (count, 1), ("data", "model"))
    loader = pl.MpDeviceLoader(batches(4, 32, 1, 28, 28), torch_xla.device(),
                               input_sharding=None)
    model = Digits().to(torch_xla.device())

    def marked():
        for image, label in loader:
            xs.mark_sharding(image, mesh, ("data", None, None, None))
            yield image, label

    return train(model, marked(), F.nll_loss)


def tensor_parallel():
    """Shards the weights over all devices."""
    xr.use_spmd()
    count = xr.global_runtime_device_count()
    mesh = xs.Mesh(np.arange(count), (1, count), ("data", "model"))
    model = nn.Sequential(nn.Linear(784, 64), nn.ReLU(), nn.Linear(64, 10),
                          nn.LogSoftmax(1)).to(torch_xla.device())
    xs.mark_sharding(model[0].weight, mesh, ("model", None))
    xs.mark_sharding(model[2].weight, mesh, (None, "model"))
    data = [(image.to("xla"), label.to("xla")) for image, label in batches(4, 32, 784)]
    return train(model, data, F.nll_loss)


def checkpointing():
    from torch_xla.utils.checkpoint import checkpoint
    device = torch_xla.device()
    layers = nn.ModuleList(nn.Linear(16, 16) for _ in range(4)).to(device)
    x = torch.linspace(-1, 1, 64).reshape(4, 16).to(device).requires_grad_()
    y = x
    for layer in layers:
        y = checkpoint(lambda value, layer=layer: torch.tanh(layer(value)), y)
    y.sum().backward()
    return [*x.grad.cpu().flatten().tolist(), *layers[0].weight.grad.cpu().flatten().tolist()]


def export():
    from torch_xla.stablehlo import exported_program_to_stablehlo
    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten()).eval()
    (image, _), = batches(1, 2, 3, 16, 16)
    program = exported_program_to_stablehlo(torch.export.export(model, (image,)))
    assert "stablehlo.convolution" in program.get_stablehlo_text()
    return [float(number) for number in program(image).flatten()[::97]]


def export_symbolic():
    """A module with a dimension of unknown size, compiled by xlac for two sizes."""
    import xlac
    from torch_xla.stablehlo import exported_program_to_stablehlo
    os.environ["EXPERIMENTAL_XLA_UNBOUNDED_DYNAMISM"] = "1"
    model = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.LayerNorm(8), nn.Linear(8, 3),
                          nn.Softmax(-1)).eval()
    rows = torch.export.Dim("rows", min=2, max=64)
    exported = torch.export.export(model, (torch.ones(5, 4),), dynamic_shapes=({0: rows},))
    program = exported_program_to_stablehlo(exported)
    weights, (function,) = model.state_dict(), program._bundle.stablehlo_funcs
    numbers = []
    for count in (2, 7):
        x = torch.linspace(-1, 1, count * 4).reshape(count, 4)
        result = model(x)
        if os.environ["PJRT_DEVICE"] == "XLAC":
            arguments = [weights[place.name].numpy() if place.name else x.numpy()
                         for place in function.meta.input_locations]
            compiled = xlac.compile(program.get_stablehlo_bytecode(),
                                    shapes=[argument.shape for argument in arguments])
            result = torch.from_numpy(compiled(*arguments)[0])
        numbers += result.flatten().tolist()
    return numbers


def eager():
    torch_xla.experimental.eager_mode(True)
    model = Digits().to(torch_xla.device())
    step = torch_xla.compile(lambda image, label: F.nll_loss(model(image), label))
    losses = []
    for image, label in batches(3, 8, 1, 28, 28):
        image, label = image.to("xla"), label.to("xla")
        losses += [step(image, label).item(), F.nll_loss(model(image), label).item()]
    return losses


PROGRAMS = {function.__name__: function for function in (
    mnist, resnet50, launch_here, launch, spmd, tensor_parallel, checkpointing, export,
    export_symbolic, eager)}


def main():
    torch.manual_seed(0)
    print(json.dumps(PROGRAMS[sys.argv[1]]()))


if __name__ == "__main__":
    main()
