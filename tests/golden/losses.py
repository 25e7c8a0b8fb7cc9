from golden import *  # noqa: F403

F = "nn.functional."
KINDS = ("none", "mean", "sum")


def logs(*sizes, dim=1, dtype=f32):
    """Log probabilities."""
    made = T(*sizes, dtype=dtype)
    made.tensor = made.tensor.log_softmax(dim)
    return made


def classes(*values):
    return T(values=list(values), dtype=i64)


for kind in KINDS:
    case(F + "soft_margin_loss", T(2, 3), T(2, 3, seed=1, grad=False), reduction=kind)
    for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div"):
        case(F + name, T(2, 3), T(2, 3, low=0.1, seed=1), reduction=kind)
    case(F + "smooth_l1_loss", T(2, 3), T(2, 3, seed=1), reduction=kind, beta=0.5)
    case(F + "huber_loss", T(2, 3), T(2, 3, seed=1), reduction=kind, delta=0.5)
    case(F + "nll_loss", logs(3, 4), classes(1, 0, 3), reduction=kind)
    case(F + "nll_loss", logs(3, 4), classes(1, -100, 3), T(4, low=0.2, grad=False),
         reduction=kind)
    case(F + "nll_loss", logs(2, 3, 2), classes([0, 2], [1, 1]), None, ignore_index=1,
         reduction=kind)
    case(F + "cross_entropy", T(3, 4), classes(1, 0, 3), reduction=kind)
    case(F + "cross_entropy", T(3, 4), classes(1, -100, 3), T(4, low=0.2, grad=False),
         reduction=kind, label_smoothing=0.1)
    case(F + "cross_entropy", T(3, 4), T(3, 4, low=0.1, seed=1), reduction=kind)
    case(F + "cross_entropy", T(3, 4), T(3, 4, low=0.1, seed=1), T(4, low=0.2, grad=False),
         reduction=kind, label_smoothing=0.3)
    case(F + "binary_cross_entropy", T(2, 3, low=0.1, high=0.9),
         T(2, 3, low=0, high=1, seed=1, grad=False), reduction=kind)
    case(F + "binary_cross_entropy_with_logits", T(2, 3),
         T(2, 3, low=0, high=1, seed=1, grad=False), T(3, grad=False),
         reduction=kind, pos_weight=T(3, low=0.5, grad=False))
    case(F + "hinge_embedding_loss", T(4), T(values=[1.0, -1.0, -1.0, 1.0], grad=False),
         reduction=kind)
    case(F + "margin_ranking_loss", T(4), T(4, seed=1),
         T(values=[1.0, -1.0, -1.0, 1.0], grad=False), 0.3, reduction=kind)
    case(F + "cosine_embedding_loss", T(3, 4), T(3, 4, seed=1),
         T(values=[1.0, -1.0, 1.0], grad=False), 0.1, reduction=kind)
    case(F + "triplet_margin_loss", T(3, 4), T(3, 4, seed=1), T(3, 4, seed=2), reduction=kind)
    case(F + "multi_margin_loss", T(3, 4), classes(1, 0, 3), reduction=kind)
    case(F + "multilabel_margin_loss", T(2, 4), classes([3, 0, -1, 1], [1, -1, -1, -1]),
         reduction=kind)
    case(F + "multilabel_soft_margin_loss", T(2, 4), T(2, 4, low=0, high=1, seed=1, grad=False),
         T(4, low=0.2, grad=False), reduction=kind)
    case(F + "poisson_nll_loss", T(2, 3), T(2, 3, low=0.1, high=4, seed=1, grad=False), full=True,
         reduction=kind)
    case(F + "gaussian_nll_loss", T(2, 3), T(2, 3, seed=1), T(2, 3, low=0.1), reduction=kind)
    case(F + "ctc_loss", logs(5, 2, 4, dim=2), classes([1, 2, 2], [3, 1, 1]), classes(5, 4),
         classes(3, 2), reduction=kind,
         gradient="differences")
for dtype in FLOATS:
    case(F + "mse_loss", T(2, 3, dtype=dtype), T(2, 3, dtype=dtype, seed=1))
    case(F + "cross_entropy", T(3, 4, dtype=dtype), classes(1, 0, 3))
case(F + "mse_loss", T(2, 3), T(2, 3, dtype=f64, seed=1))
case(F + "mse_loss", T(2, 3, transposed=True), T(2, 3, sliced=True))
case(F + "mse_loss", T(0, 3), T(0, 3))
case(F + "mse_loss", T(2, 3), T(2, 4), raises="ShapeError")
case(F + "mse_loss", T(2, 3), T(2, 3), reduction="average", raises="ValueError")
case(F + "smooth_l1_loss", T(3), T(3, seed=1), beta=0.0)
case(F + "smooth_l1_loss", T(3), T(3), beta=-1.0, raises="ValueError")
case(F + "huber_loss", T(3), T(3), delta=0.0, raises="ValueError")
case(F + "nll_loss", logs(4, dim=0), T(values=2, dtype=i64))
case(F + "nll_loss", logs(3, 4), classes(1, 4, 3), raises="IndexError", devices="cpu")
case(F + "nll_loss", logs(3, 4), classes(1, 3), raises="ShapeError")
case(F + "nll_loss", logs(3, 4), T(3), raises="DtypeError")
case(F + "nll_loss", logs(3, 4), classes(1, 2, 3), T(3), raises="ShapeError")
case(F + "cross_entropy", T(2, 3, 2), classes([0, 2], [1, 1]), label_smoothing=0.2)
case(F + "cross_entropy", T(4), T(values=2, dtype=i64))
case(F + "cross_entropy", T(4), T(4, low=0, seed=1))
case(F + "binary_cross_entropy", T(values=[0.0, 1.0, 0.5], grad=False),
     T(values=[1.0, 1.0, 0.0], grad=False))
case(F + "binary_cross_entropy", T(3, low=0, high=1), T(2, low=0, high=1), raises="ValueError")
case(F + "binary_cross_entropy_with_logits", T(values=[100.0, -100.0]),
     T(values=[0.0, 1.0], grad=False))
case(F + "kl_div", T(2, 3), T(2, 3, seed=1), reduction="batchmean", log_target=True)
case(F + "kl_div", T(2, 3), T(values=[[0.0, 0.5, 0.5], [1.0, 0.0, 0.0]], grad=False))
case(F + "triplet_margin_loss", T(3, 4), T(3, 4, seed=1), T(3, 4, seed=2), 0.7, 1.0, swap=True)
case(F + "multi_margin_loss", T(4), T(values=[2], dtype=i64), 2, 0.5, T(4, low=0.1, grad=False))
case(F + "multilabel_margin_loss", T(4), classes(3, 0, -1, 1))
case(F + "poisson_nll_loss", T(3, low=0.2), T(3, low=0.1, seed=1, grad=False), log_input=False)
case(F + "gaussian_nll_loss", T(2, 3), T(2, 3, seed=1), T(2, 1, low=0.1), True)
case(F + "ctc_loss", logs(5, 2, 4, dim=2), classes(1, 2, 2, 3, 1), classes(5, 4), classes(3, 2),
     gradient="differences")
case(F + "ctc_loss", logs(5, 4), classes(1, 2), T(values=5, dtype=i64), T(values=2, dtype=i64),
     gradient="differences")
case(F + "ctc_loss", logs(2, 1, 4, dim=2), classes([1, 2, 2]), classes(2), classes(3),
     zero_infinity=True,
     gradient="differences")
