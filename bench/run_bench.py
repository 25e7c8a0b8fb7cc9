#!/usr/bin/env python3
"""Measures xlac beside its peers and writes what came out.

    ./dev bench [--only NAMES] [--peers NAMES] [--name NAME] [--write-docs]

All workloads of ../shared/peers in one interleaved run of that kit (left out,
with a line, where it is absent), fresh processes with a warm cache, the exported
models against XLA:CPU, and products and convolutions against oneDNN. Results go
to build/bench/NAME.json, NAME.md and NAME.svg; --write-docs puts the same on
docs/performance.md. --render FILE draws an earlier run again and measures
nothing. The whole takes an hour or two on two cores; --resume goes on with a run
that was cut off. Example: ./dev bench --only softmax_rows,attention --peers xla_cpu,iree

Peers run in build/venv-jax and build/venv-torch, which are made where they are
missing; $XLAC_JAX_PYTHON and $XLAC_TORCH_PYTHON name other interpreters.
"""
import argparse
import datetime
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE / "peers"))

import environments  # noqa: E402
import figures  # noqa: E402
import own  # noqa: E402
import plot  # noqa: E402
import table  # noqa: E402
import workloads  # noqa: E402

PARTS = ("workloads", "models", "contractions")
BEGIN, END = "<!-- written by ./dev bench --write-docs -->", "<!-- until here -->"


def names(text):
    return [name for name in text.split(",") if name]


def arguments():
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--xlac", type=pathlib.Path, default=ROOT / "build/release/bin/xlac")
    parser.add_argument("--shared", type=pathlib.Path,
                        default=pathlib.Path(os.environ.get("XLAC_SHARED", ROOT.parent / "shared")))
    parser.add_argument("--artifacts", type=pathlib.Path,
                        default=os.environ.get("XLAC_PEER_ARTIFACTS", ROOT / "build/peer-workloads"),
                        help="folder of the exported workloads; written where it is empty")
    parser.add_argument("--name", default="latest", help="of the results")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/bench",
                        help="folder of the results")
    parser.add_argument("--only", type=names, default=[], help="workloads and models, by commas")
    parser.add_argument("--peers", type=names,
                        default=[*workloads.JAX_PEERS, *workloads.TORCH_PEERS])
    parser.add_argument("--target", choices=sorted(workloads.LIMITS),
                        help="profile for the workloads of the kit; leaves out peers that cannot "
                             "be limited to it")
    parser.add_argument("--parts", type=names, default=list(PARTS), help=", ".join(PARTS))
    parser.add_argument("--rounds", type=int, default=3, help="rounds of the models")
    parser.add_argument("--iters", type=int, default=15, help="runs of a model in a round")
    parser.add_argument("--write-docs", action="store_true", help="fill docs/performance.md")
    parser.add_argument("--resume", action="store_true",
                        help="go on with a run that was cut off; same name, same programs")
    parser.add_argument("--render", type=pathlib.Path, help="results of an earlier run")
    parser.add_argument("kit", nargs="*", help="behind --: flags for bench_peers.py")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"unknown parts: {', '.join(sorted(unknown))}")
    return options


def commit():
    done = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"],
                          capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def measure_workloads(options, document, pythons, work):
    """The kit's run, its roofline and warm starts, into `document`."""
    notes, kit = document["notes"], options.shared / "peers"
    if not (kit / "bench_peers.py").exists():
        notes.append(f"the workloads and peers of {kit}: there is no such kit")
        return
    peers = [peer for peer in options.peers
             if pythons["jax" if peer.partition(":")[0] in workloads.JAX_PEERS else "torch"]]
    exporter = pythons["jax"]
    if not (options.artifacts / "index.json").exists() and not exporter:
        notes.append("the workloads: without jax they cannot be exported")
        return
    if not workloads.export(kit, options.artifacts, exporter):
        notes.append("the workloads: they cannot be exported")
        return
    known = json.loads((options.artifacts / "index.json").read_text())
    only = [name for name in options.only if name in known]
    if options.only and not only:
        return
    document["roofline"] = workloads.roofline(kit, work, notes)
    xlac, settings = options.xlac, {}
    if options.target:
        xlac, peers, settings = workloads.limit(options.target, xlac, peers, work, notes)
    run = workloads.measure(kit, options.artifacts, xlac, peers, only, pythons, work,
                            options.resume, options.kit, settings, notes)
    document |= {key: run[key] for key in ("machine", "started", "settings", "workloads")
                 if key in run}
    document["warm_starts"] = workloads.warm_starts(options.artifacts, document["workloads"], xlac)


def measure(options):
    notes = []
    document = {"command": "./dev bench " + shlex.join(sys.argv[1:]), "commit": commit(),
                "workloads": {},
                "started": datetime.datetime.now().isoformat(timespec="seconds"), "notes": notes}
    work = options.out / f"{options.name}.work"
    if not options.resume:
        shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True, exist_ok=True)
    kit = options.shared / "peers"
    pythons = {"jax": None, "torch": None}
    wanted = {peer.partition(":")[0] for peer in options.peers}
    if wanted & set(workloads.JAX_PEERS) and set(options.parts) & {"workloads", "models"}:
        pins = ["-r", kit / "requirements-jax.txt"] if kit.exists() else ["jax==0.10.2", "numpy"]
        pythons["jax"] = environments.environment("jax", "jax", pins, notes)
    if wanted & set(workloads.TORCH_PEERS) and "workloads" in options.parts and kit.exists():
        pythons["torch"] = environments.environment(
            "torch", "torch", ["-r", kit / "requirements-torch.txt"], notes)
    if "workloads" in options.parts:
        measure_workloads(options, document, pythons, work)
    if "models" in options.parts:
        document["models"] = own.models(options.shared, options.xlac, pythons["jax"], options.only,
                                        options.rounds, options.iters, notes)
    if "contractions" in options.parts and not options.only:
        document["contractions"] = own.contractions(options.xlac.parents[1], notes)
    return document


def evaluate(options, document):
    """Rows and aims of the results."""
    bound = stream = None
    kit = options.shared / "peers"
    if document.get("roofline") and (kit / "report.py").exists():
        bound, stream = workloads.bounds(kit, document["roofline"])
    rows = figures.rows_of(document, bound, stream)
    rates = {name: one["xlac"] / one["onednn"]
             for name, one in (document.get("contractions") or {}).items() if one.get("onednn")}
    return rows, figures.aims(rows, rates)


def write_docs(document, text, picture):
    """Between the two marks of docs/performance.md; the picture beside it."""
    page = ROOT / "docs/performance.md"
    old = page.read_text()
    if BEGIN not in old or END not in old:
        raise SystemExit(f"{page}: has no place for results: {BEGIN} … {END}")
    head, tail = old[:old.index(BEGIN)], old[old.index(END):]
    shown = "" if picture is None else "![ratios to each peer](performance.svg)\n\n"
    command = f"<!-- not run: takes hours -->\n\n```sh\n{document['command']}\n```"
    page.write_text(f"{head}{BEGIN}\n\n{command}\n\n{shown}{text}\n{tail}")
    if picture is not None:
        (ROOT / "docs/performance.svg").write_text(picture)
    print(f"wrote {page}")


def main():
    options = arguments()
    if options.render:
        document = json.loads(options.render.read_text())
    else:
        if not options.xlac.exists():
            raise SystemExit(f"./dev bench: {options.xlac} is not built")
        document = measure(options)
        (options.out / f"{options.name}.json").write_text(json.dumps(document, indent=1) + "\n")
    rows, aims = evaluate(options, document)
    text = table.report(document, rows, aims)
    picture = plot.draw(rows) if any(row.xlac and row.peers for row in rows) else None
    folder = options.out
    folder.mkdir(parents=True, exist_ok=True)
    if not options.render:
        shutil.rmtree(folder / f"{options.name}.work", ignore_errors=True)
    (folder / f"{options.name}.md").write_text(text)
    if picture is not None:
        (folder / f"{options.name}.svg").write_text(picture)
    print(text)
    if options.write_docs:
        write_docs(document, text, picture)


if __name__ == "__main__":
    main()
