"""Normalization."""
from torch import nn

from cases import Input, case

case("BatchNorm1d", nn.BatchNorm1d(3), Input(4, 3))
case("BatchNorm1d of sequences", nn.BatchNorm1d(3, eps=1e-3, momentum=0.5), Input(2, 3, 4))
case("BatchNorm2d", nn.BatchNorm2d(2), Input(2, 2, 3, 2))
case("BatchNorm2d evaluated", nn.BatchNorm2d(2), Input(2, 2, 3, 2), train=False)
case("BatchNorm2d of all batches", nn.BatchNorm2d(2, momentum=None), Input(2, 2, 2, 2))
case("BatchNorm2d alone", nn.BatchNorm2d(2, affine=False, track_running_stats=False), Input(2, 2, 2, 2),
     train=False)
case("BatchNorm3d", nn.BatchNorm3d(2), Input(2, 2, 2, 1, 2))
case("SyncBatchNorm", nn.SyncBatchNorm(3), Input(4, 3, 2))
case("InstanceNorm1d", nn.InstanceNorm1d(3), Input(2, 3, 4))
case("InstanceNorm1d unbatched", nn.InstanceNorm1d(3, affine=True), Input(3, 4))
case("InstanceNorm2d", nn.InstanceNorm2d(2, affine=True, track_running_stats=True), Input(2, 2, 3, 2))
case("InstanceNorm2d evaluated", nn.InstanceNorm2d(2, affine=True, track_running_stats=True),
     Input(2, 2, 3, 2), train=False)
case("InstanceNorm3d", nn.InstanceNorm3d(2, momentum=0.3, track_running_stats=True),
     Input(2, 2, 2, 2, 2))
case("LayerNorm", nn.LayerNorm(4), Input(2, 3, 4))
case("LayerNorm over two", nn.LayerNorm((3, 4), eps=1e-3, bias=False), Input(2, 3, 4))
case("LayerNorm alone", nn.LayerNorm(4, elementwise_affine=False), Input(3, 4))
case("RMSNorm", nn.RMSNorm(4), Input(2, 3, 4))
case("RMSNorm over two", nn.RMSNorm((3, 4), eps=1e-3, elementwise_affine=False), Input(2, 3, 4))
case("GroupNorm", nn.GroupNorm(2, 4), Input(2, 4, 3))
case("GroupNorm alone", nn.GroupNorm(3, 6, eps=1e-3, affine=False), Input(2, 6, 2, 2))
case("LocalResponseNorm", nn.LocalResponseNorm(2), Input(2, 3, 4))
case("LocalResponseNorm with numbers", nn.LocalResponseNorm(3, alpha=0.5, beta=0.6, k=2.0),
     Input(1, 4, 2, 2))
