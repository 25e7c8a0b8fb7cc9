"""Linear layers, embeddings, convolutions, containers, distances."""
from collections import OrderedDict

from torch import nn, zeros

from cases import Input, case

case("Identity", nn.Identity(), Input(2, 3))
case("Linear", nn.Linear(4, 3), Input(2, 2, 4))
case("Linear without bias", nn.Linear(4, 3, bias=False), Input(4))
case("Bilinear", nn.Bilinear(3, 2, 4), Input(2, 3), Input(2, 2))
case("Bilinear without bias", nn.Bilinear(2, 2, 1, bias=False), Input(1, 2, 2), Input(1, 2, 2))
case("Flatten", nn.Flatten(), Input(2, 3, 2))
case("Flatten from the front", nn.Flatten(0, 1), Input(2, 3, 2))
case("Unflatten", nn.Unflatten(1, (2, 3)), Input(2, 6))
case("Unflatten of the last", nn.Unflatten(-1, (3, -1)), Input(2, 6))

case("Embedding", nn.Embedding(5, 3), Input(2, 4, below=5))
case("Embedding with padding", nn.Embedding(5, 3, padding_idx=-2), Input(7, below=5))
case("Embedding by frequency", nn.Embedding(4, 2, scale_grad_by_freq=True), Input(6, below=4))
case("Embedding within a norm", nn.Embedding(6, 3, max_norm=0.5, norm_type=1.0),
     Input(values=[0, 3, 1]))
case("EmbeddingBag", nn.EmbeddingBag(6, 3), Input(2, 4, below=6))
case("EmbeddingBag by offsets", nn.EmbeddingBag(6, 3, mode="sum", padding_idx=1),
     Input(7, below=6), Input(values=[0, 3, 3]))
case("EmbeddingBag of the greatest",
     nn.EmbeddingBag(6, 3, mode="max", include_last_offset=True),
     Input(6, below=6), Input(values=[0, 2, 6]))
case("EmbeddingBag within a norm",
     nn.EmbeddingBag(6, 2, max_norm=0.25, scale_grad_by_freq=True, mode="sum"),
     Input(2, 3, below=6))
case("EmbeddingBag with weights", nn.EmbeddingBag(6, 2, mode="sum"),
     Input(2, 3, below=6), None, Input(2, 3))

case("Conv1d", nn.Conv1d(4, 2, 3, stride=2, padding=1, groups=2), Input(2, 4, 6))
case("Conv1d unbatched", nn.Conv1d(2, 3, 2, dilation=2, bias=False), Input(2, 6))
case("Conv2d", nn.Conv2d(2, 3, 3), Input(1, 2, 5, 5))
case("Conv2d of the same size", nn.Conv2d(2, 2, (2, 3), padding="same", dilation=(1, 2)),
     Input(1, 2, 4, 5))
case("Conv2d valid", nn.Conv2d(1, 2, 2, padding="valid"), Input(1, 1, 3, 4))
case("Conv2d reflected", nn.Conv2d(1, 2, 3, padding=(1, 2), padding_mode="reflect"),
     Input(1, 1, 4, 4))
case("Conv2d replicated", nn.Conv2d(1, 2, 3, stride=2, padding=1, padding_mode="replicate"),
     Input(1, 1, 4, 4))
case("Conv2d circular",
     nn.Conv2d(1, 1, (2, 3), padding="same", padding_mode="circular", dilation=(3, 1)),
     Input(1, 1, 5, 3))
case("Conv3d", nn.Conv3d(2, 2, (1, 2, 2), stride=(1, 2, 1), padding=(0, 1, 0)),
     Input(1, 2, 2, 3, 3))
case("Conv1d continued",
     nn.Conv1d(2, 2, 2, padding=3, padding_mode="circular", groups=2, bias=False), Input(1, 2, 3))
case("Conv3d replicated", nn.Conv3d(1, 1, 2, padding=(1, 0, 1), padding_mode="replicate"),
     Input(1, 1, 2, 2, 2))
case("Conv3d of the same size", nn.Conv3d(1, 2, (1, 3, 2), padding="same"), Input(1, 2, 3, 3))
case("ConvTranspose1d",
     nn.ConvTranspose1d(2, 4, 3, stride=3, padding=1, output_padding=2, groups=2),
     Input(2, 2, 3))
case("ConvTranspose2d", nn.ConvTranspose2d(2, 3, (2, 3), stride=2, dilation=(2, 1)),
     Input(1, 2, 3, 2))
case("ConvTranspose2d without bias", nn.ConvTranspose2d(1, 2, 2, bias=False), Input(1, 2, 3))
case("ConvTranspose3d in full",
     nn.ConvTranspose3d(2, 2, (1, 2, 1), stride=2, padding=(0, 1, 0), output_padding=(1, 0, 1),
                        groups=2, dilation=(1, 2, 2)), Input(2, 2, 2, 2))
case("ConvTranspose3d", nn.ConvTranspose3d(1, 2, 2, stride=(1, 2, 1)), Input(1, 1, 2, 2, 2))
case("Unfold", nn.Unfold((2, 3), padding=1, stride=2), Input(1, 2, 3, 4))
case("Unfold unbatched", nn.Unfold(2, dilation=2), Input(1, 3, 4))
case("Fold unbatched", nn.Fold(3, 2, stride=1), Input(4, 4))
case("Fold", nn.Fold((3, 4), (2, 2), dilation=(2, 1), padding=(1, 0)), Input(1, 8, 9))

case("CosineSimilarity", nn.CosineSimilarity(), Input(2, 3, 2), Input(2, 3, 2))
case("CosineSimilarity of rows", nn.CosineSimilarity(dim=0, eps=1e-6), Input(3, 2), Input(3, 2))
case("PairwiseDistance", nn.PairwiseDistance(), Input(3, 4), Input(3, 4))
case("PairwiseDistance of vectors", nn.PairwiseDistance(p=3.0, eps=0.1), Input(4), Input(4))
case("PairwiseDistance of order 1", nn.PairwiseDistance(p=1.0, keepdim=True),
     Input(3, 4), Input(3, 4))

case("Sequential", nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)), Input(2, 3))
case("Sequential with names",
     nn.Sequential(OrderedDict([("conv", nn.Conv2d(1, 2, 2)), ("flat", nn.Flatten()),
                                ("inner", nn.Sequential(nn.Linear(8, 2), nn.Tanh()))])),
     Input(1, 1, 3, 3))
case("Sequential of nothing", nn.Sequential(), Input(2))
case("ModuleList", nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2), nn.Linear(2, 2),
                                  nn.Sequential(nn.ReLU()), nn.Tanh()]))
case("ModuleList of nothing", nn.ModuleList())
case("ModuleDict", nn.ModuleDict({"conv": nn.Conv1d(1, 2, 1), "act": nn.PReLU()}))
case("ParameterList", nn.ParameterList([zeros(2, 3), zeros(4)]))
case("ParameterList of one", nn.ParameterList([zeros(2)]))
case("ParameterDict", nn.ParameterDict({"left": zeros(2, 3), "right": zeros(1)}))
