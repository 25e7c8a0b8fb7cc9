"""training_worker in PyTorch: torch_worker.py MODEL SIZE FOLDER LR HOW, where HOW is
eager, compile (torch.compile) or xla (torch_xla, a lazy step each)."""
import importlib
import pathlib
import sys
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import worker

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/compat"))
import torch_models  # noqa: E402


class MNIST(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(1, 10, 5), nn.BatchNorm2d(10)
        self.conv2, self.bn2 = nn.Conv2d(10, 20, 5), nn.BatchNorm2d(20)
        self.fc1, self.fc2 = nn.Linear(320, 50), nn.Linear(50, 10)

    def forward(self, x):
        x = self.bn1(F.relu(F.max_pool2d(self.conv1(x), 2)))
        x = self.bn2(F.relu(F.max_pool2d(self.conv2(x), 2)))
        return F.log_softmax(self.fc2(F.relu(self.fc1(torch.flatten(x, 1)))), 1)


def gpt(state):
    """Of the sizes that the weights have; there are four heads."""
    vocabulary, width = state["transformer.wte.weight"].shape
    layers = sum(name.endswith("ln_1.weight") for name in state)
    return torch_models.GPT2(vocabulary, len(state["transformer.wpe.weight"]), width, layers, 4)


MODELS = {"mnist_cnn": lambda state: MNIST(),
          "resnet18": lambda state: torch_models.ResNet18(10, len(state["bn1.weight"]), True),
          "char_gpt": gpt}


class Worker:
    def __init__(self, name, folder, rate, how):
        self.name, self.rate, self.how = name, rate, how
        self.xla = importlib.import_module("torch_xla") if how == "xla" else None
        device = self.xla.device() if self.xla else torch.device("cpu")
        self.state = {key: torch.from_numpy(np.asarray(array)).to(device)
                      for key, array in np.load(folder / "state.npz").items()}
        arrays = np.load(folder / "batches.npz")
        self.device = device
        self.batches = [(torch.from_numpy(arrays[f"inputs{i}"]).to(device),
                         torch.from_numpy(arrays[f"targets{i}"]).to(device))
                        for i in range(len(arrays.files) // 2)]
        self.restart()

    def restart(self):
        self.model = MODELS[self.name](self.state).to(self.device)
        self.model.load_state_dict(self.state)
        self.model.train()
        self.run = torch.compile(self.model) if self.how == "compile" else self.model
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=self.rate, momentum=0.9)
        self.done = 0

    def step(self):
        inputs, targets = self.batches[self.done % len(self.batches)]
        self.done += 1
        self.optimizer.zero_grad()
        scores = self.run(inputs).flatten(0, -2)
        loss = (F.nll_loss if self.name == "mnist_cnn" else F.cross_entropy)(
            scores, targets.flatten())
        loss.backward()
        self.optimizer.step()
        if self.xla:
            self.xla.sync()
        return loss

    def curve(self, steps):
        self.restart()
        return [self.step().item() for _ in range(steps)]

    def time(self, steps):
        start = time.perf_counter()
        for _ in range(steps):
            self.step()
        if self.xla:
            self.xla.sync(wait=True)
        return time.perf_counter() - start


if __name__ == "__main__":
    worker.serve(Worker)
