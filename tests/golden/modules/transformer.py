"""Attention and transformers."""
import torch
from torch import nn

from cases import Input, case

hidden = torch.tensor([[False, False, True], [False, True, False]])
forbidden = torch.tensor([[False, True, False], [False, False, False], [False, False, False]])


def causal(n):
    return nn.Transformer.generate_square_subsequent_mask(n)


def attention(*options, **named):
    return nn.MultiheadAttention(4, 2, *options, **named)


case("MultiheadAttention", attention(), Input(3, 2, 4), Input(2, 2, 4), Input(2, 2, 4))
case("MultiheadAttention without weights", attention(bias=False), Input(3, 2, 4), Input(2, 2, 4),
     Input(2, 2, 4), run=lambda m, q, k, v: m(q, k, v, need_weights=False))
case("MultiheadAttention with masks", attention(batch_first=True), Input(2, 3, 4),
     run=lambda m, q: m(q, q, q, hidden, True, forbidden, False))
case("MultiheadAttention with masks without weights", attention(batch_first=True), Input(2, 3, 4),
     run=lambda m, q: m(q, q, q, hidden, False, forbidden))
case("MultiheadAttention with a mask a head", attention(), Input(3, 2, 4), Input(4, 3, 3, grad=False),
     run=lambda m, q, mask: m(q, q, q, None, False, mask))
case("MultiheadAttention causal", attention(), Input(3, 2, 4),
     run=lambda m, q: m(q, q, q, None, False, causal(3), True, True))
case("MultiheadAttention with more keys", attention(add_bias_kv=True, add_zero_attn=True),
     Input(3, 2, 4), Input(3, 2, 4),
     run=lambda m, q, k: m(q, k, k, hidden, True, forbidden))
case("MultiheadAttention with other widths", attention(kdim=3, vdim=5), Input(3, 2, 4),
     Input(2, 2, 3), Input(2, 2, 5))
case("MultiheadAttention unbatched", attention(batch_first=True), Input(3, 4), Input(2, 4),
     run=lambda m, q, k: m(q, k, k))

small = dict(dim_feedforward=6, dropout=0.0)
case("TransformerEncoderLayer", nn.TransformerEncoderLayer(4, 2, **small), Input(3, 2, 4))
case("TransformerEncoderLayer norm first",
     nn.TransformerEncoderLayer(4, 2, activation="gelu", layer_norm_eps=1e-3, batch_first=True,
                                norm_first=True, bias=False, **small), Input(2, 3, 4),
     run=lambda m, src: m(src, forbidden, hidden))
case("TransformerEncoder", nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, **small), 2),
     Input(3, 2, 4), run=lambda m, src: m(src, mask=causal(3)))
case("TransformerEncoder with a norm",
     nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, batch_first=True, **small), 1,
                           nn.LayerNorm(4)),
     Input(2, 3, 4), run=lambda m, src: m(src, src_key_padding_mask=hidden))
case("TransformerDecoderLayer", nn.TransformerDecoderLayer(4, 2, **small), Input(3, 2, 4),
     Input(2, 2, 4))
case("TransformerDecoderLayer norm first",
     nn.TransformerDecoderLayer(4, 2, batch_first=True, norm_first=True, **small), Input(2, 3, 4),
     Input(2, 3, 4),
     run=lambda m, tgt, memory: m(tgt, memory, causal(3), None, None, hidden, True))
case("TransformerDecoder",
     nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, **small), 2, nn.LayerNorm(4)),
     Input(3, 2, 4), Input(2, 2, 4), run=lambda m, tgt, memory: m(tgt, memory, causal(3)))
case("Transformer",
     nn.Transformer(4, 2, 1, 1, batch_first=True, **small), Input(2, 3, 4), Input(2, 2, 4),
     run=lambda m, src, tgt: m(src, tgt, tgt_mask=causal(2), src_key_padding_mask=hidden,
                               memory_key_padding_mask=hidden))
