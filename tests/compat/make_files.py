#!/usr/bin/env python3
"""Writes the small files of other libraries that the tests of lib/serialize read.

    make_files.py [FOLDER]      (torch 2.9, numpy 2.4, safetensors 0.8)

They are checked in: files of this folder stay readable, so new ones get new names.
"""
import copy
import pathlib
import sys

import numpy as np
import safetensors.torch
import torch

import torch_models

TORCH_DTYPES = [torch.bool, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8,
                torch.uint16, torch.uint32, torch.uint64, torch.float16, torch.bfloat16,
                torch.float32, torch.float64, torch.complex64, torch.float8_e5m2,
                torch.float8_e4m3fn, torch.float8_e5m2fnuz, torch.float8_e4m3fnuz]


def short_name(dtype):
    return str(dtype).removeprefix("torch.")


def write_safetensors(folder):
    tensors = {short_name(dtype): torch.tensor([[1, 0, 3]]).to(dtype) for dtype in TORCH_DTYPES}
    tensors["scalar"] = torch.tensor(2.5)
    tensors["empty"] = torch.zeros(0, 3)
    safetensors.torch.save_file(tensors, folder / "values.safetensors",
                                metadata={"format": "pt", "note": "é"})


def write_numpy(folder):
    arrays = {kind: np.array([[1, 0, 3], [0, 5, 6]]).astype(kind)
              for kind in ("? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16 "
                           ">i2 >u4 >i8 >f2 >f4 >f8 >c8 >c16").split()}
    arrays["columns"] = np.asfortranarray(np.arange(24, dtype="f4").reshape(2, 3, 4))
    arrays["scalar"] = np.float64(2.5)
    arrays["empty"] = np.zeros((3, 0), "i4")
    arrays["many"] = np.repeat(np.arange(4, dtype="i8"), 2000)
    np.savez_compressed(folder / "numpy_compressed.npz", **arrays)
    del arrays["many"]
    np.savez(folder / "numpy_arrays.npz", **arrays)
    np.save(folder / "numpy_columns.npy", arrays["columns"].astype(">f8", order="K"))
    np.save(folder / "numpy_objects.npy", np.array([{}, 1], object))
    np.save(folder / "numpy_texts.npy", np.array(["a", "bc"]))
    np.save(folder / "numpy_records.npy", np.zeros(2, [("x", "f4"), ("y", "i4")]))


def write_torch(folder):
    base = torch.arange(12.0).reshape(3, 4)
    data = {"t": base.t(), "row": base[1], "step": base[:, ::2],
            "parameter": torch.nn.Parameter(torch.tensor([1.5, -2])),
            "frozen": torch.nn.Parameter(torch.ones(1), requires_grad=False),
            "wide": torch.tensor([1, 2, 65535], dtype=torch.uint16),
            "plain": (1, "é", None, [True]), "empty": torch.zeros(0, 3),
            "flags": torch.tensor([True, False])}
    torch.save(data, folder / "torch_legacy.pt", _use_new_zipfile_serialization=False)
    torch.save(data, folder / "torch_legacy_protocol4.pt", pickle_protocol=4,
               _use_new_zipfile_serialization=False)
    torch.save({"frozen": {1}, "set": frozenset((2, 3)), "long": "a" * 300,
                "array": bytearray(b"xy"), "device": 1, **data},
               folder / "torch_protocol4.pt", pickle_protocol=4)
    torch.save({"device": torch.device("cpu")}, folder / "torch_device.pt")
    torch.save(torch.nn.Linear(2, 1), folder / "torch_module.pt")


def write_lazy_bits(folder):
    """Views whose storages hold what comes before a conjugation or negation."""
    z = torch.tensor([[1 + 2j, 3 - 4j], [-5 + 0j, 0 + 6j]])
    data = {"plain": z, "conj": z.conj(), "neg": z.clone().conj().imag, "turned": z.mH,
            "double": z.to(torch.complex128).conj()[1], "both": torch._neg_view(z.conj()),
            "whole": torch._neg_view(torch.tensor([1, -2])),
            "parameter": torch.nn.Parameter(z.conj()),
            "empty": torch.zeros(0, 2, dtype=z.dtype).conj()}
    torch.save(data, folder / "torch_lazy_bits.pt")
    torch.save(data, folder / "torch_lazy_bits_legacy.pt", _use_new_zipfile_serialization=False)


def write_models(folder):
    torch.save(torch_models.resnet18_case(width=2, side=48, num_classes=5),
               folder / "torch_resnet18_narrow.pt")
    torch.save(torch_models.gpt2_case(vocab_size=31, context=16, width=12, layers=2, heads=3,
                                      length=11), folder / "torch_gpt2_narrow.pt")


def write_optimizers(folder):
    """Each optimizer's state after five steps, and what two more come to."""
    cases = {}
    for kind, options in [
        (torch.optim.SGD, {"momentum": 0.9, "lr": 0.1}), (torch.optim.Adam, {"amsgrad": True}),
        (torch.optim.AdamW, {}), (torch.optim.Adamax, {}), (torch.optim.NAdam, {}),
        (torch.optim.RAdam, {"betas": (0.8, 0.9)}), (torch.optim.Adagrad, {}),
        (torch.optim.Adadelta, {}), (torch.optim.RMSprop, {"centered": True, "momentum": 0.5}),
        (torch.optim.Rprop, {}), (torch.optim.LBFGS, {"max_iter": 2, "lr": 0.1}),
    ]:
        parameter = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
        optimizer = kind([parameter], **options)

        def closure():
            optimizer.zero_grad()
            loss = ((parameter - 1) ** 2 * torch.tensor([1.0, 4.0, 2.0])).sum()
            loss.backward()
            return loss

        for _ in range(5):
            optimizer.step(closure)
        case = {"parameter": parameter.detach().clone(),
                "state": copy.deepcopy(optimizer.state_dict())}
        for _ in range(2):
            optimizer.step(closure)
        cases[kind.__name__] = {**case, "after": parameter.detach().clone()}
    torch.save(cases, folder / "torch_optimizers.pt")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__ + "/..").resolve()
    for write in (write_safetensors, write_numpy, write_torch, write_lazy_bits, write_models,
                  write_optimizers):
        write(folder)


if __name__ == "__main__":
    main()
