"""What a run of ./dev bench comes to: ratios, geometric means, aims.

Works on the plain data of a results file alone, so it can be tried on made-up
numbers. A ratio is time of xlac over time of the other: below 1 xlac is faster.
"""
import dataclasses
import math

#: Where XLA:CPU needs at least so long, compiling is held to the harder aim.
SLOW_COMPILE_MS = 200
#: Workloads whose peak memory has an aim.
MEMORY_AIM = ("resnet50_train", "transformer_train")
#: Data that no cache holds.
MEMORY_BOUND_BYTES = 48 << 20


def geometric_mean(values):
    """Of positive numbers; None of none."""
    values = list(values)
    if not values:
        return None
    return math.exp(sum(math.log(value) for value in values) / len(values))


@dataclasses.dataclass
class Row:
    """One workload; times in milliseconds, None where there is none."""
    name: str
    xlac: float | None = None
    wrong: bool = False
    peers: dict = dataclasses.field(default_factory=dict)
    bound: float | None = None
    bound_kind: str = ""
    compile: float | None = None
    xla_compile: float | None = None
    warm: float | None = None  # process start to first result, less reading inputs
    warm_start: float | None = None  # the same less the run itself
    xla_warm: float | None = None
    rss: float | None = None
    xla_rss: float | None = None
    stream: float | None = None  # bytes a second over those of STREAM

    def ratio(self, peer):
        other = self.peers.get(peer)
        return self.xlac / other if self.xlac and other else None

    def fastest(self):
        """The fastest of the peers and its time."""
        known = [(time, peer) for peer, time in self.peers.items() if time]
        return min(known)[::-1] if known else (None, None)

    def to_fastest(self):
        _, time = self.fastest()
        return self.xlac / time if self.xlac and time else None

    def to_bound(self):
        return self.xlac / self.bound if self.xlac and self.bound else None


@dataclasses.dataclass
class Aim:
    """A figure and what it should be: at most `most` on average and `worst_most`
    for each one, or at least those where `at_least`."""
    what: str
    values: dict  # name to ratio
    most: float | None = None
    worst_most: float | None = None
    at_least: bool = False
    unit: str = ""
    average: bool = True  # else only the worst counts

    def mean(self):
        return geometric_mean(self.values.values()) if self.average else None

    def worst(self):
        """Name and value."""
        if not self.values:
            return None, None
        pick = min if self.at_least else max
        name = pick(self.values, key=self.values.get)
        return name, self.values[name]

    def is_met(self):
        """None where nothing was measured."""
        if not self.values:
            return None
        def fine(value, limit):
            return limit is None or (value >= limit if self.at_least else value <= limit)
        return (not self.average or fine(self.mean(), self.most)) and \
            fine(self.worst()[1], self.worst_most)


def measured(rows, figure):
    """Names and figures of the rows that have one."""
    return {row.name: value for row in rows if (value := figure(row)) is not None}


def over(top, bottom):
    return top / bottom if top and bottom else None


def aims(rows, contractions=None):
    """The aims of docs/performance.md for the rows, and for the rates of products
    and convolutions over oneDNN's."""
    slow = [row for row in rows if (row.xla_compile or 0) >= SLOW_COMPILE_MS]
    quick = [row for row in rows if 0 < (row.xla_compile or 0) < SLOW_COMPILE_MS]
    compiling = lambda row: over(row.compile, row.xla_compile)
    return [
        Aim("run / fastest peer", measured(rows, Row.to_fastest), 0.55, 1.05),
        Aim("run / XLA:CPU", measured(rows, lambda row: row.ratio("xla_cpu")), 0.3, 1.0),
        Aim("run / roofline bound", measured(rows, Row.to_bound), 1.5),
        Aim(f"cold compile / XLA:CPU, where that needs {SLOW_COMPILE_MS} ms or more",
            measured(slow, compiling), 0.12),
        Aim("cold compile / XLA:CPU, elsewhere", measured(quick, compiling), 0.35),
        Aim("fresh process with warm cache, less the run, ms",
            measured(rows, lambda row: row.warm_start), None, 25, unit=" ms", average=False),
        Aim("fresh process with warm cache / JAX with its cache",
            measured(rows, lambda row: over(row.warm, row.xla_warm)), 0.05),
        Aim("peak memory / XLA:CPU, training",
            measured([row for row in rows if row.name in MEMORY_AIM],
                     lambda row: over(row.rss, row.xla_rss)), None, 0.7, average=False),
        Aim("GEMM and convolutions, one thread, rate / oneDNN", contractions or {},
            0.97, 0.90, at_least=True),
        Aim("memory-bound workloads, rate / STREAM", measured(rows, lambda row: row.stream),
            None, 0.9, at_least=True, average=False),
    ]


def rows_of(document, bound=None, stream=None):
    """Rows from a results file. `bound(name, meta)` gives milliseconds and kind of
    the roofline's bound or None, `stream` the bytes a second of STREAM."""
    rows = []
    for name, workload in document.get("workloads", {}).items():
        row = Row(name)
        for key, run in workload["run"].items():
            if "@" in key or "min_ms" not in run:
                continue
            if key == "xlac":
                row.xlac = run["min_ms"]
            else:
                check = (workload["peers"].get(key) or {}).get("check") or {}
                if check.get("ok", True):
                    row.peers[key] = run["min_ms"]
        own, xla = (workload["peers"].get(who) or {} for who in ("xlac", "xla_cpu"))
        row.wrong = not (own.get("check") or {}).get("ok", True)
        row.compile = (own.get("cold") or {}).get("compile_ms")
        row.xla_compile = (xla.get("cold") or {}).get("compile_ms")
        row.xla_warm = (xla.get("warm") or {}).get("total_less_inputs_ms")
        row.rss = (workload["run"].get("xlac") or {}).get("peak_rss_mb")
        row.xla_rss = (workload["run"].get("xla_cpu") or {}).get("peak_rss_mb")
        start = document.get("warm_starts", {}).get(name)
        if start:
            row.warm, row.warm_start = start["total_ms"], start["start_ms"]
        meta = workload["meta"]
        limit = bound(name, meta) if bound else None
        if limit:
            row.bound, row.bound_kind = limit
        if stream and row.xlac and row.bound_kind == "byte" and \
                meta["io_bytes"] >= MEMORY_BOUND_BYTES:
            row.stream = meta["bytes"] / (row.xlac * 1e-3) / stream
        rows.append(row)
    return rows
