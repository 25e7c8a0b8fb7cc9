#!/usr/bin/env python3
"""Completion scripts and manual pages of xlac, in the programs that read them.

    shell_files_test.py XLAC

Each shell must offer all commands, all options that --help lists, and the values
of choices. Shells that are not installed are named and left out. groff must
format each manual page without a warning. Prints what fails, exits 1 on any.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

XLAC = sys.argv[1]
failures = []


def check(condition, message):
    if not condition:
        failures.append(message)
        print("FAIL:", message)


def text_of(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, **options)
    check(done.returncode == 0 and not done.stderr,
          f"{command[:2]} exits with {done.returncode}: {done.stderr[:400]}")
    return done.stdout


def commands():
    found = re.findall(r"^  ([a-z]+) ", text_of(XLAC, "--help").split("Subcommands:")[1], re.M)
    assert len(found) > 10, found
    return found


def options_of(command):
    """The long options of a command's --help."""
    return re.findall(r"^  (?:-\w,)?(--[-a-z]+)", text_of(XLAC, command, "--help"), re.M)


def bash_offers(script, *words):
    listed = " ".join(f"'{word}'" for word in ("xlac", *words))
    return text_of("bash", "--norc", "-c", f"""
        set -u; source {script}; COMP_WORDS=({listed}); COMP_CWORD={len(words)}
        _xlac; printf '%s\\n' "${{COMPREPLY[@]:-}}" """).split()


def zsh_offers(script, *words):
    """What the script passes to zsh's functions of completion."""
    listed = " ".join(f"'{word}'" for word in ("xlac", *words))
    return text_of("zsh", "-f", "-c", f"""
        compdef() {{ }}; source {script}
        _describe() {{ print -l -- ${{(P)2}} }}; _arguments() {{ print -l -- "$@" }}
        words=({listed}); CURRENT={len(words) + 1}; _xlac""")


def fish_offers(script, line):
    out = text_of("fish", "--no-config", "-c", f"source {script}; complete -C '{line}'")
    return [row.split("\t")[0] for row in out.splitlines()]


def check_bash(script, folder):
    check(set(bash_offers(script, "")) >= set(commands()), "bash: commands")
    for command in commands():
        offered = bash_offers(script, command, "--")
        check(set(options_of(command)) <= set(offered), f"bash: options of {command}")
    check("bytecode" in bash_offers(script, "translate", "m.mlir", "--to", "b"), "bash: --to")
    check(bash_offers(script, "cache", "pr") == ["prune"], "bash: cache prune")
    check("avx2" in bash_offers(script, "run", "--target", ""), "bash: --target")
    (folder / "model one.mlir").touch()
    offered = text_of("bash", "--norc", "-c", f"""source {script}; cd '{folder}'
        COMP_WORDS=(xlac run model); COMP_CWORD=2; _xlac; echo "${{COMPREPLY[0]}}" """)
    check(offered == "model one.mlir\n", "bash: a file with a blank in its name")


def check_zsh(script):
    described = zsh_offers(script, "")
    for command in commands():
        check(f"\n{command}:" in "\n" + described, f"zsh: {command}")
        specs = zsh_offers(script, command, "")
        for option in options_of(command):
            check(f"{option}[" in specs, f"zsh: {command} {option}")
    check("(stablehlo bytecode)" in zsh_offers(script, "translate", "").replace(
        "(bytecode stablehlo)", "(stablehlo bytecode)"), "zsh: --to")


def check_fish(script):
    check(set(fish_offers(script, "xlac ")) >= set(commands()), "fish: commands")
    for command in commands():
        offered = fish_offers(script, f"xlac {command} --")
        check(set(options_of(command)) <= set(offered), f"fish: options of {command}")
    check("bytecode" in fish_offers(script, "xlac translate --to "), "fish: --to")
    check("prune" in fish_offers(script, "xlac cache "), "fish: cache prune")


def check_pages(folder):
    pages = folder / "man"
    text_of(XLAC, "manual", "--directory", str(pages))
    check(sorted(page.name for page in pages.iterdir()) ==
          sorted(["xlac.1", *(f"xlac-{command}.1" for command in commands())]), "pages")
    for page in pages.iterdir():
        shown = text_of("groff", "-man", "-ww", "-Kutf8", "-Tutf8", "-P-c", str(page))
        shown = re.sub(".\b", "", shown)  # bold letters are printed twice
        shown = shown.replace("‐", "-").replace("−", "-")  # hyphen, minus
        command = page.stem.partition("-")[2]
        if not command:
            check(all(f"xlac-{each}(1)" in shown for each in commands()),
                  "overview page")
            continue
        check(page.read_text() == text_of(XLAC, "manual", command), f"manual {command}")
        for option in options_of(command):
            check(option in shown, f"page of {command}: {option}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for shell, test in (("bash", lambda script: check_bash(script, folder)),
                            ("zsh", check_zsh), ("fish", check_fish)):
            script = folder / shell
            script.write_text(text_of(XLAC, "completion", shell))
            if shutil.which(shell):
                test(script)
            else:
                print(f"{shell} is not installed; its script was only written")
        if shutil.which("groff"):
            check_pages(folder)
        else:
            print("groff is not installed; no manual page was formatted")
    print(f"{len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
