"""Models of bench_sizes.py in PyTorch: torch_worker.py HOW MODEL [FILE], where HOW is compile
(torch.compile with dynamic=True), eager, or onnx (ONNX Runtime, with the model in FILE)."""
import sys

import arrays
import numpy as np
import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.held = torch.nn.ParameterList(torch.from_numpy(each) for each in weights)


class MLP(Model):
    def forward(self, x):
        first, second, third = self.held
        return F.relu(F.relu(x @ first) @ second) @ third


class Convnet(Model):
    def forward(self, x):
        *convolutions, last = self.held
        for weight, stride in zip(convolutions, (1, 2, 2)):
            x = F.relu(F.conv2d(x, weight, stride=stride, padding=1))
        return x.mean((2, 3)) @ last


class LSTM(Model):
    def __init__(self, weights):
        super().__init__(weights)
        self.lstm = torch.nn.LSTM(arrays.WIDTH, arrays.WIDTH, bias=False)
        self.lstm.weight_ih_l0.data = torch.from_numpy(weights[0].T.copy())
        self.lstm.weight_hh_l0.data = torch.from_numpy(weights[1].T.copy())

    def forward(self, x):
        return self.lstm(x)[0][-1]


class Transformer(Model):
    def forward(self, x):
        batch, length, width = x.shape
        heads = arrays.HEADS
        for layer in range(arrays.LAYERS):
            qkv, out, up, down = self.held[4 * layer:4 * layer + 4]
            split = (F.layer_norm(x, (arrays.WIDTH,)) @ qkv).view(batch, length, 3, heads, width // heads)
            q, k, v = (split[:, :, part].transpose(1, 2) for part in range(3))
            mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + mixed.transpose(1, 2).reshape(batch, length, width) @ out
            x = x + F.relu(F.layer_norm(x, (arrays.WIDTH,)) @ up) @ down
        return x


MODELS = {"mlp": MLP, "mlp_step": MLP, "convnet": Convnet, "lstm": LSTM,
          "transformer": Transformer}


def make_torch(name, how):
    def make(weights):
        model = MODELS[name](weights)

        def infer(x):
            with torch.no_grad():
                return model(x)

        def step(x):
            gradients = torch.autograd.grad((model(x) ** 2).mean(), list(model.held))
            return [old.detach() - 0.1 * each for old, each in zip(model.held, gradients)]
        function = step if name == "mlp_step" else infer
        if how == "compile":
            function = torch.compile(function, dynamic=True)

        def run(x):
            result = function(torch.from_numpy(x))
            return (result[0] if isinstance(result, list) else result).detach().numpy()
        return run
    return make


def make_onnx(name, path):
    import onnxruntime

    def make(weights):
        model = MODELS[name](weights).eval()
        x = torch.from_numpy(arrays.input_of(name, [3, 24]))
        axes = {"mlp": [0], "convnet": [0]}.get(name, [0, 1])
        torch.onnx.export(model, (x,), path, dynamo=False, input_names=["x"],
                          dynamic_axes={"x": {axis: f"size{axis}" for axis in axes}})
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = torch.get_num_threads()
        session = onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])
        return lambda x: session.run(None, {"x": np.ascontiguousarray(x)})[0]
    return make


if __name__ == "__main__":
    how, name = sys.argv[1:3]
    if how == "onnx" and name == "mlp_step":
        raise SystemExit("ONNX Runtime does not train")
    arrays.serve(name, make_onnx(name, sys.argv[3]) if how == "onnx" else make_torch(name, how))
