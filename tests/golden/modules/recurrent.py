"""Recurrent layers and cells."""
import torch
from torch import nn

from cases import Input, case


def pack(data, lengths, module):
    return nn.utils.rnn.pack_padded_sequence(data, torch.tensor(lengths), module.batch_first,
                                             enforce_sorted=False)


def packed(module, data, *states):
    made = pack(data, [2, 4, 3], module)
    return module(made, *([states] if len(states) > 1 else states))


for name, make in (("RNN", nn.RNN), ("GRU", nn.GRU), ("LSTM", nn.LSTM)):
    many = name == "LSTM"
    run = (lambda m, data, h, c: m(data, (h, c))) if many else None

    def states(*sizes, many=many):
        return [Input(*sizes)] * (2 if many else 1)

    case(name, make(3, 2), Input(4, 2, 3))
    case(f"{name} with states", make(3, 2, bias=False), Input(4, 2, 3), *states(1, 2, 2), run=run)
    case(f"{name} both ways", make(3, 2, 2, batch_first=True, dropout=0.5, bidirectional=True),
         Input(2, 4, 3), *states(4, 2, 2), run=run, train=False)
    case(f"{name} of one sequence", make(3, 2), Input(4, 3), *states(1, 2), run=run)
    case(f"{name} of one step", make(3, 2), Input(1, 2, 3))
    case(f"{name} packed", make(3, 2, 2, bidirectional=True), Input(4, 3, 3), *states(4, 3, 2),
         run=packed)
    case(f"{name} packed by batch", make(3, 2, batch_first=True), Input(3, 4, 3), run=packed)

case("RNN with relu", nn.RNN(3, 2, nonlinearity="relu"), Input(4, 2, 3), Input(1, 2, 2))
case("RNN with relu packed", nn.RNN(3, 2, nonlinearity="relu"), Input(4, 3, 3), run=packed)
case("LSTM projected", nn.LSTM(3, 4, 2, bidirectional=True, proj_size=2), Input(4, 2, 3),
     Input(4, 2, 2), Input(4, 2, 4), run=lambda m, data, h, c: m(data, (h, c)))
case("LSTM projected and packed", nn.LSTM(3, 4, bias=False, proj_size=2), Input(4, 3, 3), run=packed)

case("RNNCell", nn.RNNCell(3, 2), Input(2, 3), Input(2, 2))
case("RNNCell with relu", nn.RNNCell(3, 2, bias=False, nonlinearity="relu"), Input(2, 3),
     Input(2, 2))
case("RNNCell without state", nn.RNNCell(3, 2), Input(3))
case("GRUCell", nn.GRUCell(3, 2), Input(2, 3), Input(2, 2))
case("GRUCell without state", nn.GRUCell(3, 2, bias=False), Input(3))
case("LSTMCell", nn.LSTMCell(3, 2), Input(2, 3), Input(2, 2), Input(2, 2),
     run=lambda m, data, h, c: m(data, (h, c)))
case("LSTMCell without state", nn.LSTMCell(3, 2, bias=False), Input(3))
