"""The results of ./dev bench as Markdown."""
import figures

NAMES = {"xla_cpu": "XLA:CPU", "iree": "IREE", "torch_eager": "PyTorch",
         "torch_compile": "torch.compile", "torch_xla": "torch_xla",
         "onnxruntime": "ONNX Runtime"}


def number(value):
    if value is None:
        return "–"
    for least, digits in ((100, 0), (10, 1), (0.1, 2), (0.01, 3)):
        if abs(value) >= least:
            return f"{value:.{digits}f}"
    return f"{value:.2g}"


def table(head, rows):
    ruler = "|".join("---" if i == 0 else "--:" for i in range(len(head)))
    lines = ["| " + " | ".join(head) + " |", f"|{ruler}|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def peers_in(rows):
    """Those that ran something, in a fixed order."""
    return [peer for peer in NAMES if any(peer in row.peers for row in rows)]


def run_table(rows):
    peers = peers_in(rows)
    lines = []
    for row in rows:
        fastest, _ = row.fastest()
        part = f"{100 / row.to_bound():.0f}%" if row.to_bound() else "–"
        cells = [f"**{number(row.peers[peer])}**" if peer == fastest
                 else number(row.peers.get(peer)) for peer in peers]
        lines.append([row.name, number(row.xlac) + (" ✗" if row.wrong else ""), *cells,
                      number(row.to_fastest()), number(row.ratio("xla_cpu")), part])
    return table(["workload, ms", "xlac", *(NAMES[peer] for peer in peers),
                  "/ fastest", "/ XLA:CPU", "of roofline"], lines)


def start_table(rows):
    lines = [[row.name, number(row.compile), number(row.xla_compile),
              number(figures.over(row.compile, row.xla_compile)), number(row.warm),
              number(row.xla_warm), number(row.rss), number(row.xla_rss)] for row in rows]
    return table(["workload", "compile, ms", "XLA:CPU", "ratio", "warm start, ms", "JAX",
                  "peak, MB", "XLA:CPU"], lines)


def aim_table(aims):
    lines = []
    for aim in aims:
        if not aim.values:
            continue
        name, worst = aim.worst()
        sign = "≥" if aim.at_least else "≤"
        wanted = []
        if aim.average and aim.most is not None:
            wanted.append(f"{sign} {aim.most:g}")
        if aim.worst_most is not None:
            wanted.append(f"each {sign} {aim.worst_most:g}{aim.unit}")
        lines.append([aim.what, number(aim.mean()), f"{number(worst)}{aim.unit} ({name})",
                      ", ".join(wanted), "yes" if aim.is_met() else "no", str(len(aim.values))])
    return table(["figure", "geometric mean", "worst", "aim", "met", "of"], lines)


def model_table(models):
    lines = []
    for name, one in models.items():
        own, xla, jax = (one.get(who, {}) for who in ("xlac", "xla_cpu", "jax on xlac"))
        lines.append([name, number(own["run_ms"]), number(xla.get("run_ms")),
                      number(figures.over(own["run_ms"], xla.get("run_ms"))),
                      number(figures.over(jax.get("run_ms"), own["run_ms"])),
                      number(own["compile_ms"]), number(xla.get("compile_ms")),
                      number(figures.over(own["compile_ms"], xla.get("compile_ms")))])
    return table(["model", "run, ms", "XLA:CPU", "ratio", "through JAX, ratio", "compile, ms",
                  "XLA:CPU", "ratio"], lines)


def contraction_table(contractions):
    lines = [[name, *(number(one.get(who)) for who in ("xlac", "eigen", "onednn")),
              number(figures.over(one.get("xlac"), one.get("onednn")))]
             for name, one in contractions.items()]
    return table(["one thread, GFLOP/s", "xlac", "Eigen", "oneDNN", "/ oneDNN"], lines)


def report(document, rows, aims):
    """The whole page's tables, those left out that have no figures."""
    machine = document.get("machine", {})
    features = ", ".join(machine.get("features", []))
    parts = [f"{machine.get('cpu', 'an unnamed processor')}, {machine.get('cores', '?')} cores"
             + (f", {features}" if features else "")
             + f"; {document.get('started', '')}; xlac {document.get('commit', '?')}."]
    if any(aim.values for aim in aims):
        parts.append(aim_table(aims))
    if rows:
        parts += ["Minimum time of interleaved turns on all cores, in milliseconds. The fastest peer "
                  "is bold; ✗ marks wrong results.", run_table(rows), start_table(rows)]
    if document.get("models"):
        parts += ["Exported models, medians of interleaved rounds:",
                  model_table(document["models"])]
    if document.get("contractions"):
        parts.append(contraction_table(document["contractions"]))
    for line in document.get("notes", []):
        parts.append(f"Left out: {line}.")
    return "\n\n".join(parts) + "\n"
