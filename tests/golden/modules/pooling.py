"""Pooling."""
from torch import nn

from cases import Input, case

case("MaxPool1d", nn.MaxPool1d(3, stride=2, padding=1, ceil_mode=True), Input(1, 2, 8))
case("MaxPool2d", nn.MaxPool2d(2), Input(1, 2, 4, 5))
case("MaxPool2d dilated", nn.MaxPool2d((2, 3), stride=(1, 2), padding=(1, 1), dilation=(2, 1)),
     Input(2, 4, 5))
case("MaxPool3d", nn.MaxPool3d((1, 2, 2)), Input(1, 1, 2, 4, 4))
case("MaxUnpool2d", nn.MaxUnpool2d(2), Input(1, 2, 2, 2),
     Input(values=[[[[5, 2], [8, 15]], [[0, 3], [13, 10]]]]))
case("AvgPool1d", nn.AvgPool1d(3, stride=2, padding=1), Input(1, 2, 7))
case("AvgPool2d", nn.AvgPool2d(2, padding=1, count_include_pad=False), Input(1, 2, 4, 4))
case("AvgPool2d divided", nn.AvgPool2d((2, 3), stride=1, ceil_mode=True, divisor_override=4),
     Input(1, 1, 4, 4))
case("AvgPool3d", nn.AvgPool3d(2), Input(1, 1, 2, 4, 4))
case("LPPool2d", nn.LPPool2d(2, 2), Input(1, 1, 4, 4))
case("LPPool2d with a stride", nn.LPPool2d(4.0, (2, 1), stride=1), Input(1, 1, 3, 3))
case("AdaptiveAvgPool1d", nn.AdaptiveAvgPool1d(3), Input(1, 2, 7))
case("AdaptiveAvgPool2d", nn.AdaptiveAvgPool2d((None, 2)), Input(1, 2, 3, 5))
case("AdaptiveAvgPool3d", nn.AdaptiveAvgPool3d(2), Input(1, 1, 2, 3, 4))
case("AdaptiveMaxPool1d", nn.AdaptiveMaxPool1d(3), Input(1, 2, 7))
case("AdaptiveMaxPool2d", nn.AdaptiveMaxPool2d((2, None)), Input(1, 2, 5, 3))

case("MaxPool1d unbatched", nn.MaxPool1d(2, 1, 1, 2), Input(2, 5))
case("MaxPool3d in full",
     nn.MaxPool3d((2, 1, 2), stride=(1, 2, 2), padding=(1, 0, 1), dilation=(1, 1, 2),
                  ceil_mode=True),
     Input(1, 2, 3, 5))
case("AvgPool1d in full", nn.AvgPool1d(4, 3, 1, ceil_mode=True, count_include_pad=False),
     Input(2, 7))
case("AvgPool3d in full",
     nn.AvgPool3d((1, 2, 3), stride=(1, 1, 2), padding=(0, 1, 1), ceil_mode=True,
                  count_include_pad=False, divisor_override=5), Input(1, 1, 2, 3, 4))
case("LPPool2d rounded up", nn.LPPool2d(3, 2, ceil_mode=True), Input(1, 3, 3))
case("MaxUnpool2d in full", nn.MaxUnpool2d((2, 3), stride=2, padding=(0, 1)), Input(1, 2, 2),
     Input(values=[[[0, 2], [9, 11]]]))
case("AdaptiveAvgPool1d unbatched", nn.AdaptiveAvgPool1d(2), Input(3, 5))
case("AdaptiveAvgPool3d with None", nn.AdaptiveAvgPool3d((1, None, 2)), Input(2, 2, 2, 3))
case("AdaptiveMaxPool1d unbatched", nn.AdaptiveMaxPool1d(4), Input(2, 6))
case("AdaptiveMaxPool2d of one size", nn.AdaptiveMaxPool2d(2), Input(1, 3, 3))
