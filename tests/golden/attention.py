from golden import *  # noqa: F403

F = "nn.functional."
SDPA = F + "scaled_dot_product_attention"

case(SDPA, T(2, 3, 4), T(2, 5, 4, seed=1), T(2, 5, 6))
case(SDPA, T(2, 2, 3, 4), T(2, 2, 3, 4, seed=1), T(2, 2, 3, 4, seed=2), is_causal=True)
case(SDPA, T(2, 3, 4), T(2, 5, 4, seed=1), T(2, 5, 6), T(3, 5))
case(SDPA, T(2, 3, 4), T(2, 5, 4, seed=1), T(2, 5, 6), T(3, 5, dtype=b1, seed=3), scale=0.3)
case(SDPA, T(1, 2, 4), T(1, 2, 4, seed=1), T(1, 2, 4, seed=2),
     T(values=[[True, False], [False, False]], dtype=b1))
case(SDPA, T(1, 4, 3, 2), T(1, 2, 3, 2, seed=1), T(1, 2, 3, 2, seed=2), enable_gqa=True)
for dtype in FLOATS:
    case(SDPA, T(1, 3, 4, dtype=dtype), T(1, 3, 4, dtype=dtype, seed=1),
         T(1, 3, 4, dtype=dtype, seed=2))
case(SDPA, T(2, 3, 4), T(2, 5, 3), T(2, 5, 6), raises="ShapeError")
case(SDPA, T(2, 3, 4), T(2, 5, 4), T(2, 5, 6), T(3, 5), is_causal=True, raises="ValueError")
case(SDPA, T(2, 3, 4), T(2, 5, 4, dtype=f64), T(2, 5, 6), raises="DtypeError")


def attended(query, key, value, width, heads, *projections, **options):
    import torch
    return torch.nn.functional.multi_head_attention_forward(query, key, value, width, heads,
                                                            *projections, **options)


def projections(width, bias=True):
    return (T(3 * width, width, seed=5), T(3 * width) if bias else None, None, None, False, 0.0,
            T(width, width, seed=6), T(width, seed=7) if bias else None)


MHA = "multi_head_attention_forward"
case(MHA, T(3, 2, 4), T(5, 2, 4, seed=1), T(5, 2, 4, seed=2), 4, 2, *projections(4),
     reference=attended)
case(MHA, T(3, 4), T(5, 4, seed=1), T(5, 4, seed=2), 4, 2, *projections(4, bias=False),
     reference=attended)
case(MHA, T(3, 2, 4), T(3, 2, 4, seed=1), T(3, 2, 4, seed=2), 4, 2, *projections(4),
     key_padding_mask=T(values=[[False, False, True], [False, True, False]], dtype=b1),
     attn_mask=T(values=[[False, True, False], [False] * 3, [False] * 3], dtype=b1),
     average_attn_weights=False, reference=attended)
case(MHA, T(3, 1, 4), T(2, 1, 4, seed=1), T(2, 1, 4, seed=2), 4, 2, T(12, 4, seed=5), T(12),
     T(1, 1, 4), T(1, 1, 4, seed=3), True, 0.0, T(4, 4, seed=6), T(4, seed=7), reference=attended)
case(MHA, T(3, 1, 4), T(2, 1, 6, seed=1), T(2, 1, 5, seed=2), 4, 2, None, T(12), None, None, False,
     0.0, T(4, 4, seed=6), T(4, seed=7), use_separate_proj_weight=True, q_proj_weight=T(4, 4),
     k_proj_weight=T(4, 6), v_proj_weight=T(4, 5), reference=attended)
for options in ({}, {"attn_mask": T(2 * 2, 3, 5, seed=8)},
                {"attn_mask": T(3, 5, seed=8), "is_causal": True}):
    case(MHA, T(3, 2, 4), T(5, 2, 4, seed=1), T(5, 2, 4, seed=2), 4, 2, *projections(4),
         need_weights=False, reference=attended, **options)
case(MHA, T(3, 2, 4), T(3, 2, 4, seed=1), T(3, 2, 4, seed=2), 4, 2, *projections(4),
     key_padding_mask=T(values=[[False, False, True], [False, True, False]], dtype=b1),
     attn_mask=T(values=[[True, True, False], [False] * 3, [False] * 3], dtype=b1),
     need_weights=False, reference=attended)
case(MHA, T(3, 2, 4), T(5, 2, 4), T(5, 2, 4), 4, 3, *projections(4), raises="ValueError",
     reference=attended)
case(MHA, T(3, 2, 4), T(5, 2, 4), T(5, 2, 4), 4, 2, *projections(4),
     attn_mask=T(3, 5, dtype=i64), raises="DtypeError", reference=attended)
case(MHA, T(3, 2, 4), T(5, 2, 4), T(5, 2, 4), 6, 2, *projections(4), raises="ShapeError",
     reference=attended)


def rotary_embedding(input, cos, sin, interleaved=False):
    import torch
    if interleaved:
        a, b = input[..., ::2], input[..., 1::2]
        return torch.stack([a * cos - b * sin, b * cos + a * sin], -1).reshape(input.shape)
    a, b = input.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


case("rotary_embedding", T(2, 3, 4), T(3, 2), T(3, 2, seed=1), reference=rotary_embedding)
case("rotary_embedding", T(2, 3, 4), T(3, 2), T(3, 2, seed=1), True, reference=rotary_embedding)
case("rotary_embedding", T(2, 3, 5), T(3, 2), T(3, 2), raises="ShapeError",
     reference=rotary_embedding)
case("optimization_barrier", [T(2), T(3, dtype=i64)], reference=lambda tensors: tensors)


def weights(gates, inputs, width, layers=1, directions=1, biases=True):
    made = []
    for layer in range(layers):
        for way in range(directions):
            seed = 10 * layer + way
            made += [T(gates * width, inputs if layer == 0 else directions * width, seed=seed),
                     T(gates * width, width, seed=seed + 1)]
            if biases:
                made += [T(gates * width, seed=seed + 2), T(gates * width, seed=seed + 3)]
    return made


def refused(*args):
    """torch.lstm reads what does not fit all the same."""
    raise ValueError("sizes do not fit")


def unbatched(name):
    def run(input, hx, *rest):
        import torch
        hx = [h.unsqueeze(1) for h in hx] if name == "lstm" else hx.unsqueeze(1)
        made = getattr(torch, name)(input.unsqueeze(1), hx, *rest)
        return [each.squeeze(1) for each in made]
    return run


for name, gates in (("rnn_tanh", 1), ("rnn_relu", 1), ("gru", 3), ("lstm", 4)):
    def states(*sizes, name=name):
        return [T(*sizes), T(*sizes, seed=1)] if name == "lstm" else T(*sizes)

    case(name, T(3, 2, 4), states(1, 2, 3), weights(gates, 4, 3), True, 1, 0.0, False, False, False)
    case(name, T(2, 3, 4), states(4, 2, 3), weights(gates, 4, 3, 2, 2), True, 2, 0.0, True, True,
         True)
    case(name, T(3, 4), states(1, 3), weights(gates, 4, 3, biases=False), False, 1, 0.0, False,
         False, False, reference=unbatched(name))
    case(name, T(3, 2, 4), states(1, 2, 3), weights(gates, 5, 3), True, 1, 0.0, False, False, False,
         raises="ShapeError", reference=refused)
    batch_sizes = T(values=[3, 2, 2, 1], dtype=i64)
    case(name, T(8, 4), batch_sizes, states(1, 3, 3), weights(gates, 4, 3), True, 1, 0.0, False,
         False)
    case(name, T(8, 4), batch_sizes, states(4, 3, 3), weights(gates, 4, 3, 2, 2), True, 2, 0.0,
         False, True)

def projected(gates, inputs, width, hidden, directions=1):
    made = []
    for seed in range(directions):
        made += [T(gates * width, inputs, seed=seed), T(gates * width, hidden, seed=seed + 1),
                 T(gates * width, seed=seed + 2), T(gates * width, seed=seed + 3),
                 T(hidden, width, seed=seed + 4)]
    return made


case("lstm", T(3, 2, 4), [T(2, 2, 2), T(2, 2, 3, seed=1)], projected(4, 4, 3, 2, 2), True, 1, 0.0,
     False, True, False)
case("lstm", T(8, 4), batch_sizes, [T(1, 3, 2), T(1, 3, 3, seed=1)], projected(4, 4, 3, 2), True, 1,
     0.0, False, False)
case("lstm", T(3, 2, 4), [T(1, 2, 2), T(1, 2, 3)], projected(4, 4, 3, 1), True, 1, 0.0, False, False,
     False, raises="ShapeError", reference=refused)


def one_row(name):
    def run(input, hx, *weights):
        import torch
        many = isinstance(hx, list)
        hx = [h.unsqueeze(0) for h in hx] if many else hx.unsqueeze(0)
        made = getattr(torch, name)(input.unsqueeze(0), hx, *weights)
        return [each.squeeze(0) for each in made] if many else made.squeeze(0)
    return run


for name, gates in (("rnn_tanh_cell", 1), ("rnn_relu_cell", 1), ("gru_cell", 3), ("lstm_cell", 4)):
    def states(*sizes, name=name):
        return [T(*sizes), T(*sizes, seed=1)] if name == "lstm_cell" else T(*sizes)

    case(name, T(2, 4), states(2, 3), *weights(gates, 4, 3))
    case(name, T(4), states(3), *weights(gates, 4, 3), reference=one_row(name))
    case(name, T(2, 4), states(2, 3), *weights(gates, 5, 3), raises="ShapeError")
