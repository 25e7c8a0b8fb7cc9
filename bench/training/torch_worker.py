"""training_worker in PyTorch, eagerly: torch_worker.py MODEL SIZE FOLDER LR."""
import json
import pathlib
import sys
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

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
    def __init__(self, name, folder, rate):
        self.name, self.rate = name, rate
        self.state = {key: torch.from_numpy(np.asarray(array))
                      for key, array in np.load(folder / "state.npz").items()}
        arrays = np.load(folder / "batches.npz")
        self.batches = [(torch.from_numpy(arrays[f"inputs{i}"]),
                         torch.from_numpy(arrays[f"targets{i}"]))
                        for i in range(len(arrays.files) // 2)]
        self.restart()

    def restart(self):
        self.model = MODELS[self.name](self.state)
        self.model.load_state_dict(self.state)
        self.model.train()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=self.rate, momentum=0.9)
        self.done = 0

    def step(self):
        inputs, targets = self.batches[self.done % len(self.batches)]
        self.done += 1
        self.optimizer.zero_grad()
        scores = self.model(inputs)
        scores = scores.flatten(0, -2)
        loss = (F.nll_loss if self.name == "mnist_cnn" else F.cross_entropy)(
            scores, targets.flatten())
        loss.backward()
        self.optimizer.step()
        return loss

    def curve(self, steps):
        self.restart()
        return [self.step().item() for _ in range(steps)]

    def time(self, steps):
        start = time.perf_counter()
        for _ in range(steps):
            self.step()
        return time.perf_counter() - start


def main():
    worker = Worker(sys.argv[1], pathlib.Path(sys.argv[3]), float(sys.argv[4]))
    for line in sys.stdin:
        command, steps = line.split()
        print(json.dumps(getattr(worker, command)(int(steps))), flush=True)


if __name__ == "__main__":
    main()
