"""What the Python workers of bench_training.py have in common."""
import json
import pathlib
import sys


def serve(make):
    """Answers each line of a command and a number of steps with a line of JSON. `make`
    gets the model's name, the folder, the learning rate, and what words follow."""
    name, _, folder, rate, *rest = sys.argv[1:]
    worker = make(name, pathlib.Path(folder), float(rate), *rest)
    for line in sys.stdin:
        command, steps = line.split()
        print(json.dumps(getattr(worker, command)(int(steps))), flush=True)
