"""Losses."""
import torch
from torch import nn

from cases import Input, case

for reduction in ("mean", "sum", "none"):
    case(f"L1Loss {reduction}", nn.L1Loss(reduction=reduction), Input(3, 4), Input(3, 4))
    case(f"MSELoss {reduction}", nn.MSELoss(reduction=reduction), Input(3, 4), Input(3, 4))
case("SmoothL1Loss", nn.SmoothL1Loss(), Input(3, 4), Input(3, 4))
case("SmoothL1Loss with beta", nn.SmoothL1Loss(reduction="sum", beta=0.3), Input(3, 4), Input(3, 4))
case("HuberLoss", nn.HuberLoss(), Input(3, 4), Input(3, 4))
case("HuberLoss with delta", nn.HuberLoss("none", 0.3), Input(3, 4), Input(3, 4))
case("PoissonNLLLoss", nn.PoissonNLLLoss(), Input(3, 4), Input(3, 4, grad=False))
case("PoissonNLLLoss of rates", nn.PoissonNLLLoss(log_input=False, full=True, reduction="sum"),
     Input(3, 4), Input(3, 4, grad=False), run=lambda m, rate, target: m(rate.abs(), target.abs() * 4))
case("GaussianNLLLoss", nn.GaussianNLLLoss(), Input(3, 4), Input(3, 4, grad=False), Input(3, 4),
     run=lambda m, mean, target, var: m(mean, target, var.abs()))
case("GaussianNLLLoss of one variance", nn.GaussianNLLLoss(full=True, eps=0.1, reduction="none"),
     Input(3, 4), Input(3, 4, grad=False), run=lambda m, mean, target: m(mean, target, 0.5))
case("KLDivLoss", nn.KLDivLoss(reduction="batchmean"), Input(3, 4), Input(3, 4, grad=False),
     run=lambda m, logs, target: m(logs, target.softmax(1)))
case("KLDivLoss of logarithms", nn.KLDivLoss(reduction="sum", log_target=True), Input(3, 4), Input(3, 4, grad=False))

weight = torch.tensor([2.0, 1.5, 0.5, 3.0])
picked = Input(values=[1, 3, -100])
case("NLLLoss", nn.NLLLoss(), Input(3, 4), picked)
case("NLLLoss weighted", nn.NLLLoss(weight, ignore_index=3), Input(3, 4),
     Input(values=[1, 3, 0]))
case("NLLLoss of images", nn.NLLLoss(reduction="none"), Input(2, 3, 2), Input(values=[[1, 2], [0, -100]]))
case("CrossEntropyLoss", nn.CrossEntropyLoss(), Input(3, 4), picked)
case("CrossEntropyLoss weighted and smoothed",
     nn.CrossEntropyLoss(weight, ignore_index=3, label_smoothing=0.2), Input(3, 4),
     Input(values=[1, 3, 0]))
case("CrossEntropyLoss of probabilities", nn.CrossEntropyLoss(reduction="sum", label_smoothing=0.1),
     Input(3, 4), Input(3, 4), run=lambda m, logits, target: m(logits, target.softmax(1)))
case("CrossEntropyLoss of images", nn.CrossEntropyLoss(reduction="none"), Input(2, 3, 2),
     Input(values=[[1, 2], [0, -100]]))
case("BCELoss", nn.BCELoss(), Input(3, 4), Input(3, 4),
     run=lambda m, logits, target: m(logits.sigmoid(), target.sigmoid()))
case("BCELoss weighted", nn.BCELoss(weight, reduction="sum"), Input(3, 4),
     Input(3, 4, grad=False), run=lambda m, logits, target: m(logits.sigmoid(), target.sigmoid()))
case("BCEWithLogitsLoss", nn.BCEWithLogitsLoss(), Input(3, 4), Input(3, 4, grad=False))
case("BCEWithLogitsLoss weighted",
     nn.BCEWithLogitsLoss(weight=torch.tensor([[2.0], [0.5], [1.5]]), reduction="none",
                          pos_weight=torch.tensor([1.0, 3.0, 0.5, 2.0])),
     Input(3, 4), Input(3, 4, grad=False))

lengths, parts = Input(values=[5, 4]), Input(values=[3, 2])
case("CTCLoss", nn.CTCLoss(), Input(5, 2, 4), Input(values=[[1, 2, 2], [3, 1, 0]]), lengths, parts,
     run=lambda m, logits, *rest: m(logits.log_softmax(2), *rest))
case("CTCLoss with another blank", nn.CTCLoss(blank=3, reduction="none"), Input(5, 2, 4),
     Input(values=[1, 2, 2, 0, 1]), lengths, parts,
     run=lambda m, logits, *rest: m(logits.log_softmax(2), *rest))
case("CTCLoss of what does not fit", nn.CTCLoss(reduction="sum", zero_infinity=True), Input(5, 2, 4),
     Input(values=[[1, 1, 1], [3, 1, 2]]), Input(values=[3, 5]), Input(values=[3, 3]),
     run=lambda m, logits, *rest: m(logits.log_softmax(2), *rest))

signs = Input(values=[1.0, -1.0, 1.0])
case("SoftMarginLoss", nn.SoftMarginLoss(), Input(4, 3), signs)
case("MultiLabelMarginLoss", nn.MultiLabelMarginLoss(), Input(2, 4),
     Input(values=[[3, 0, -1, 1], [2, -1, 0, 3]]))
case("HingeEmbeddingLoss", nn.HingeEmbeddingLoss(), Input(4, 3), signs)
case("HingeEmbeddingLoss with margin", nn.HingeEmbeddingLoss(0.4, reduction="none"), Input(4, 3), signs)
case("MultiLabelSoftMarginLoss", nn.MultiLabelSoftMarginLoss(), Input(3, 4), Input(3, 4, grad=False))
case("MultiLabelSoftMarginLoss weighted",
     nn.MultiLabelSoftMarginLoss(weight, reduction="none"), Input(3, 4),
     Input(3, 4, grad=False))
case("MultiMarginLoss", nn.MultiMarginLoss(), Input(3, 4), Input(values=[1, 3, 0]))
case("MultiMarginLoss squared",
     nn.MultiMarginLoss(2, 0.5, weight, reduction="none"), Input(3, 4), Input(values=[1, 3, 0]))
case("MarginRankingLoss", nn.MarginRankingLoss(0.2), Input(3), Input(3), signs)
case("CosineEmbeddingLoss", nn.CosineEmbeddingLoss(0.1), Input(3, 4), Input(3, 4), signs)
case("TripletMarginLoss", nn.TripletMarginLoss(), Input(3, 4), Input(3, 4), Input(3, 4))
case("TripletMarginLoss swapped", nn.TripletMarginLoss(0.5, 1.0, swap=True, reduction="none"),
     Input(3, 4), Input(3, 4), Input(3, 4))
