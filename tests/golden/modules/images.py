"""Padding, sizes of images, channels."""
from torch import nn

from cases import Input, case

case("ConstantPad1d", nn.ConstantPad1d(2, 3.5), Input(1, 2, 3))
case("ConstantPad2d", nn.ConstantPad2d((1, 0, 2, -1), 1), Input(1, 3, 2))
case("ConstantPad3d", nn.ConstantPad3d(1, 0.5), Input(1, 1, 1, 2))
case("ZeroPad2d", nn.ZeroPad2d((1, 2, 0, 1)), Input(1, 1, 2, 2))
case("ReflectionPad1d", nn.ReflectionPad1d((2, 1)), Input(1, 2, 4))
case("ReflectionPad2d", nn.ReflectionPad2d(1), Input(1, 1, 3, 3))
case("ReflectionPad3d", nn.ReflectionPad3d((1, 0, 0, 1, 1, 0)), Input(1, 1, 2, 2, 2))
case("ReplicationPad1d", nn.ReplicationPad1d(2), Input(1, 2, 3))
case("ReplicationPad2d", nn.ReplicationPad2d((1, 2, 0, 1)), Input(1, 1, 2, 2))
case("ReplicationPad3d", nn.ReplicationPad3d(1), Input(1, 1, 1, 2, 2))

case("Upsample", nn.Upsample(scale_factor=2), Input(1, 2, 2, 3))
case("Upsample to a size", nn.Upsample(size=(3, 5)), Input(1, 1, 2, 3))
case("Upsample to one size", nn.Upsample(size=4, mode="linear"), Input(1, 2, 3))
case("Upsample bilinear",
     nn.Upsample(scale_factor=(1.5, 2), mode="bilinear", align_corners=True),
     Input(1, 1, 4, 2))
case("PixelShuffle", nn.PixelShuffle(2), Input(1, 4, 2, 2))
case("PixelUnshuffle", nn.PixelUnshuffle(2), Input(1, 1, 4, 4))
case("ChannelShuffle", nn.ChannelShuffle(2), Input(1, 4, 1, 2))

case("ConstantPad1d cropping", nn.ConstantPad1d((-1, 2), -1.5), Input(2, 3))
case("ZeroPad2d of one", nn.ZeroPad2d(1), Input(1, 1, 2))
case("ReflectionPad1d of one", nn.ReflectionPad1d(1), Input(2, 3))
case("ReplicationPad3d unbatched", nn.ReplicationPad3d((0, 1, 2, 0, 1, 0)), Input(1, 1, 2, 2))
case("Upsample nearest exact", nn.Upsample(scale_factor=1.7, mode="nearest-exact"),
     Input(1, 1, 5))
case("Upsample bicubic", nn.Upsample(size=(3, 5), mode="bicubic"), Input(1, 1, 3, 3))
case("Upsample trilinear", nn.Upsample(scale_factor=2, mode="trilinear"), Input(1, 1, 1, 2, 2))
case("Upsample recomputed",
     nn.Upsample(scale_factor=1.6, mode="linear", recompute_scale_factor=True), Input(1, 1, 4))
case("PixelShuffle unbatched", nn.PixelShuffle(3), Input(9, 1, 2))
case("ChannelShuffle of three", nn.ChannelShuffle(3), Input(1, 6, 2))
