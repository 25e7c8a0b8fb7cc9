"""ResNet-18 and GPT-2 in plain PyTorch, with the parameter names of torchvision's
resnet18 and of Hugging Face's GPT2LMHeadModel, and the generator of random ones."""
import math
import sys

import torch
from torch import nn
from torch.nn import functional as F


class BasicBlock(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            self.downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False),
                                            nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(y + (x if self.downsample is None else self.downsample(x)))


class ResNet18(nn.Module):
    """`small_images`: the usual first layer for images of 32 x 32."""

    def __init__(self, num_classes=1000, width=64, small_images=False):
        super().__init__()
        self.small_images = small_images
        self.conv1 = (nn.Conv2d(3, width, 3, 1, 1, bias=False) if small_images
                      else nn.Conv2d(3, width, 7, 2, 3, bias=False))
        self.bn1 = nn.BatchNorm2d(width)
        inputs = width
        for i in range(4):
            outputs = width << i
            setattr(self, f"layer{i + 1}", nn.Sequential(
                BasicBlock(inputs, outputs, 1 if i == 0 else 2), BasicBlock(outputs, outputs, 1)))
            inputs = outputs
        self.fc = nn.Linear(inputs, num_classes)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        if not self.small_images:
            x = F.max_pool2d(x, 3, 2, 1)
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))


class Conv1D(nn.Module):
    """Hugging Face's: a linear layer whose weight is [in, out]."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(inputs, outputs).normal_(std=0.02))
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        return x @ self.weight + self.bias


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.c_attn = Conv1D(width, 3 * width)
        self.c_proj = Conv1D(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2)
                   for part in self.c_attn(x).split(width, dim=2))
        scores = q @ k.transpose(-2, -1) / math.sqrt(width // self.heads)
        mask = torch.ones(length, length, dtype=torch.bool, device=x.device).tril()
        y = scores.masked_fill(~mask, -math.inf).softmax(-1) @ v
        return self.c_proj(y.transpose(1, 2).reshape(batch, length, width))


class MLP(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.c_fc = Conv1D(width, 4 * width)
        self.c_proj = Conv1D(4 * width, width)

    def forward(self, x):
        return self.c_proj(F.gelu(self.c_fc(x), approximate="tanh"))


class GPT2Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.ln_1 = nn.LayerNorm(width)
        self.attn = Attention(width, heads)
        self.ln_2 = nn.LayerNorm(width)
        self.mlp = MLP(width)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT2(nn.Module):
    def __init__(self, vocab_size=50257, context=1024, width=768, layers=12, heads=12):
        super().__init__()
        self.transformer = nn.ModuleDict({
            "wte": nn.Embedding(vocab_size, width),
            "wpe": nn.Embedding(context, width),
            "h": nn.ModuleList([GPT2Block(width, heads) for _ in range(layers)]),
            "ln_f": nn.LayerNorm(width)})
        self.lm_head = nn.Linear(width, vocab_size, bias=False)
        for embedding in (self.transformer.wte, self.transformer.wpe):
            nn.init.normal_(embedding.weight, std=0.02)
        self.lm_head.weight = self.transformer.wte.weight

    def forward(self, tokens):
        parts = self.transformer
        x = parts.wte(tokens) + parts.wpe(torch.arange(tokens.shape[1], device=tokens.device))
        for block in parts.h:
            x = block(x)
        return self.lm_head(parts.ln_f(x))


def random_case(model, inputs):
    """A model in evaluation mode with statistics and biases other than 0 and 1,
    inputs, and what it makes of them."""
    for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
        if name.endswith(("bias", "running_mean")):
            nn.init.uniform_(tensor, -0.2, 0.2)
        elif name.endswith("running_var") or (".bn" in name and name.endswith("weight")):
            nn.init.uniform_(tensor, 0.5, 1.5)
    model.eval()
    with torch.no_grad():
        return {"state_dict": model.state_dict(), "input": inputs, "output": model(inputs)}


def resnet18_case(width=64, side=224, num_classes=1000, batch=2):
    torch.manual_seed(18)
    return random_case(ResNet18(num_classes, width), torch.randn(batch, 3, side, side))


def gpt2_case(vocab_size=50257, context=1024, width=768, layers=12, heads=12, length=64):
    torch.manual_seed(2)
    return random_case(GPT2(vocab_size, context, width, layers, heads),
                       torch.randint(vocab_size, (2, length)))


MODELS = {"resnet18": (ResNet18, resnet18_case), "gpt2": (GPT2, gpt2_case)}


def main():
    """make MODEL CASE: writes a random model with inputs and outputs.
    check MODEL CASE SAVED: a state dict that was saved elsewhere (.pt or
    .safetensors) gives the same outputs."""
    command, name, case, *saved = sys.argv[1:]
    kind, make = MODELS[name]
    if command == "make":
        torch.save(make(), case)
        return
    if saved[0].endswith(".safetensors"):
        import safetensors.torch
        state = safetensors.torch.load_file(saved[0])
    else:
        state = torch.load(saved[0])
    case = torch.load(case)
    model = kind()
    assert list(state) == list(case["state_dict"]) or saved[0].endswith(".safetensors")
    model.load_state_dict(state)
    with torch.no_grad():
        assert torch.equal(model.eval()(case["input"]), case["output"])


if __name__ == "__main__":
    main()
