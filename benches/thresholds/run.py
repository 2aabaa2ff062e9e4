"""What fails without each threshold: makes docs/thresholds.md.

    python benches/thresholds/run.py --out docs/thresholds.md

Copies the sources below `target/`, where every threshold of the two files of tolerances becomes a function that
multiplies it by what the environment says, and builds them once. Then, a threshold and a factor at a time, it runs
the tests of the core and of the plugin, and the families with right values and the short scenes, until one
fails that does not without the change. Takes 2 cores half an hour; needs Python and cargo only.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = {"core": "plugin/core/src/tolerances.rs", "plugin": "plugin/src/base/tolerances.rs"}
TESTED = ("stickslip-core", "stickslip-reference", "stickslip")
FACTORS = (0.1, 10.0)
LIMIT = 60  # seconds that one test binary may take

# The folders that name thresholds of a crate, and a word of the paths that they import them by.
NAMED = {
    "core": {"plugin/core": ("tolerances", "kit"), "plugin/reference": ("kit",), "plugin/src": ("kit",)},
    "plugin": {"plugin/src": ("tolerances",)},
}
DECLARED = re.compile(
    r"^(?P<visibility>pub(?:\(crate\))?) const (?P<name>[A-Z_]+): "
    r"(?P<kind>(?P<array>\[)?(?P<number>f64|usize|u8|u32)(?:; \d+\])?) =\s*(?P<value>[^;]+);",
    re.M,
)
USE = re.compile(r"^\s*(?:pub(?:\([a-z:]+\))?\s+)?use\s[^;]*;", re.M)


class Threshold:
    """A named constant of `crate`, with its value as the source has it."""

    def __init__(self, crate, name, value):
        self.crate, self.name, self.value = crate, name, " ".join(value.split())

    @property
    def key(self):
        return f"STICKSLIP_{self.crate}_{self.name}".upper()

    def entry(self, factor):
        """What its result is kept under: another value is another threshold."""
        return f"{self.crate} {self.name} = {self.value}, times {factor}"


def as_function(crate, match):
    """The declaration of a constant as that of a function of the environment."""
    visibility, name, kind, number, value = match.group("visibility", "name", "kind", "number", "value")
    by = f'scale("{Threshold(crate, name, value).key}")'
    if match.group("array"):
        scaled = f"all.map(|x| x * {by})"
    elif number == "f64":
        scaled = f"all * {by}"
    else:
        scaled = f"(all as f64 * {by}).round() as {number}"
    return (
        f"#[allow(non_snake_case, missing_docs)]\n{visibility} fn {name}() -> {kind} {{\n"
        f"static VALUE: std::sync::LazyLock<{kind}> =\n"
        f"std::sync::LazyLock::new(|| {{ let all: {kind} = {value}; {scaled} }});\n*VALUE\n}}"
    )


SCALE = """
fn scale(key: &str) -> f64 {
    std::env::var(key).ok().map_or(1.0, |text| text.parse().expect("a factor"))
}
"""


def imports(text, names, sources):
    """Those of `names` that `text` imports by a path with one of `sources`."""
    uses = [m.group(0) for m in USE.finditer(text)]
    return {n for n in names for u in uses if re.search(rf"\b{n}\b", u) and any(s in u for s in sources)}


def called(text, qualified, bare):
    """`text` with calls in place of constants: those `qualified` by the name of their module, and those `bare`."""
    patterns = [rf"(\btolerances::(?:{'|'.join(sorted(qualified))}))\b"] if qualified else []
    patterns += [rf"(?<![:\w])({'|'.join(sorted(bare))})\b"] if bare else []
    uses = [m.span() for m in USE.finditer(text)]
    out, start = [], 0
    for line in text.splitlines(keepends=True):
        code, slashes, note = line.partition("//")
        # An assertion about constants can't call functions.
        if code.startswith("const _"):
            code = "// " + code
        elif not any(first < start + len(line) and start < last for first, last in uses):
            for pattern in patterns:
                code = re.sub(pattern, r"\1()", code)
        out.append(code + slashes + note)
        start += len(line)
    return "".join(out)


def instrument(tree):
    """Writes the sources with thresholds that can be changed to `tree`; returns the thresholds."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    if tree.exists():
        shutil.rmtree(tree)
    for name in filter(None, listed.decode().split("\0")):
        if os.path.lexists(ROOT / name):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, tree / name, follow_symlinks=False)
    thresholds = []
    for crate, file in FILES.items():
        text = (ROOT / file).read_text()
        found = [Threshold(crate, *m.group("name", "value")) for m in DECLARED.finditer(text)]
        thresholds += found
        (tree / file).write_text(DECLARED.sub(lambda m, crate=crate: as_function(crate, m), text) + SCALE)
    for file, crate, words in users(tree):
        names = [t.name for t in thresholds if t.crate == crate]
        # Not that of the tree: a module may have been written to before its tests.
        brought = imports((ROOT / file).read_text(), names, words)
        if "use super::*;" in (ROOT / file).read_text():
            for parent in (file.parent.with_suffix(".rs"), file.parent / "mod.rs"):
                if (ROOT / parent).exists():
                    brought |= imports((ROOT / parent).read_text(), names, words)
        # Both crates have a module of that name, and some names in common.
        qualified = names if "tolerances" in words else []
        (tree / file).write_text(called((tree / file).read_text(), qualified, brought))
    return thresholds


def users(tree):
    """Sources that may name thresholds: file, crate of the thresholds, words of the paths that they import them by."""
    for crate, folders in NAMED.items():
        for folder, words in folders.items():
            for path in sorted((tree / folder).rglob("*.rs")):
                file = path.relative_to(tree)
                if str(file) not in FILES.values():
                    yield file, crate, words


def build(tree, target):
    """Builds the tests and the scenes: the tests with the folders that they run in, and the command of the scenes."""
    env = dict(os.environ, CARGO_TARGET_DIR=str(target), CARGO_INCREMENTAL="0", RUSTFLAGS="-A warnings")
    packages = [word for name in TESTED for word in ("-p", name)]
    done = subprocess.run(
        ["cargo", "test", "--release", "--locked", "--no-run", "--message-format=json", "--lib", "--tests", *packages],
        cwd=tree, env=env, stdout=subprocess.PIPE, check=True,
    )
    tests = []
    for line in done.stdout.decode().splitlines():
        message = json.loads(line)
        if message.get("executable") and message.get("profile", {}).get("test"):
            folder = pathlib.Path(message["manifest_path"]).parent
            # Of the reference models only the tests of cones: the others have solvers of their own.
            if folder.name != "reference" or message["target"]["name"] == "cone":
                tests.append((message["executable"], str(folder)))
    # The solver first: what it misses needs no world.
    tests.sort(key=lambda test: (test[1].endswith("plugin"), test[0]))
    subprocess.run(["cargo", "build", "--release", "--locked", "--bin", "heaps"], cwd=tree, env=env, check=True)
    return tests, target / "release" / "heaps"


def failing(test, env):
    """Names of the tests of a binary that fail."""
    binary, folder = test
    try:
        done = subprocess.run([binary, "--test-threads=1"], cwd=folder, env=env, capture_output=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return {"(not done in time)"}
    out = done.stdout.decode(errors="replace")
    names = set(re.findall(r"^test (\S+)(?: - should panic)? \.\.\. FAILED$", out, re.M))
    return names or ({"(aborted)"} if done.returncode else set())


def unfit(heaps, env, scratch):
    """Scenes that are not right or not sane, and the mean steps of all [us]."""
    bad, steps = set(), 0.0
    for options in (["--families", "--models", "cone"], ["--short", "--models", "cone,no-slip,ccp"]):
        file = scratch.with_suffix(".json")
        file.unlink(missing_ok=True)
        command = [str(heaps), *options, "--precision", "f32", "--limit-seconds", "20", "--json", str(file)]
        subprocess.run(command, env=env, capture_output=True, timeout=5 * LIMIT, check=False)
        if not file.exists():
            return {"(heaps ended without a result)"}, float("nan")
        for run in json.loads(file.read_text()):
            steps += run["step_us"]["mean"] if run.get("step_us") else 0.0
            # How long a step takes is another process's business as well.
            if run["verdict"] != "sane" and not run["verdict"].startswith("a step of"):
                bad.add(f"{run['scene']} {run['engine']}")
    return bad, steps


def judge(tests, heaps, scratch, threshold, factor, base=None):
    """What fails with a threshold times a factor: tests, else scenes, else how long steps take."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("STICKSLIP_")}
    env["RUST_BACKTRACE"] = "0"
    if threshold:
        env[threshold.key] = repr(factor)
    failed = set()
    for test in tests:
        if threshold and threshold.crate == "plugin" and not test[1].endswith("plugin"):
            continue
        failed |= failing(test, env)
        if base and failed - base[0]:
            return failed, base[1], base[2]
    scenes, steps = unfit(heaps, env, scratch)
    return failed, scenes, steps


def names(found, most=3):
    """Some of the names, without the paths of their modules."""
    listed = sorted(found)
    rest = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(f"`{name.split('::')[-1]}`" for name in listed[:most]) + rest


def said(found, base):
    """What is told of a run, by that which changes nothing."""
    failed, scenes, steps = (found[0] - base[0], found[1] - base[1], found[2] / base[2])
    parts = [names(failed)] if failed else []
    parts += ["scenes " + names(scenes)] if scenes else []
    if not abs(steps - 1.0) < 0.15:
        parts.append(f"mean step times {steps:.2f}")
    return "; ".join(parts) or "-"


def write_whole(path, text):
    """Writes a file whole or not at all."""
    new = path.with_suffix(".new")
    new.write_text(text)
    new.replace(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the page to write")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "target" / "thresholds", help="for the build")
    parser.add_argument("--only", nargs="*", default=[], help="names to measure; the others keep their last figures")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at once")
    options = parser.parse_args()
    if not options.out.resolve().parent.is_dir():
        sys.exit(f"--out {options.out}: there is no folder {options.out.parent}")
    if options.jobs < 1:
        sys.exit(f"--jobs {options.jobs}: at least 1")
    work = options.work.resolve()
    thresholds = instrument(work / "tree")
    unknown = set(options.only) - {t.name for t in thresholds}
    if unknown:
        sys.exit(f"no threshold has the name {', '.join(sorted(unknown))}")
    kept = work / "results.json"
    results = json.loads(kept.read_text()) if options.only and kept.exists() else {}
    chosen = [t for t in thresholds if not options.only or t.name in options.only]
    missing = [t.name for t in thresholds if t not in chosen and t.entry(FACTORS[0]) not in results]
    if missing:
        sys.exit(f"not measured yet: {', '.join(missing)}; name them too, or leave --only out")
    try:
        tests, heaps = build(work / "tree", work / "build")
    except subprocess.CalledProcessError as error:
        sys.exit(f"cargo ended with {error.returncode}: the sources with changed thresholds in {work / 'tree'} do not compile")
    base = judge(tests, heaps, work / "base", None, 1.0)
    print(f"unchanged: {sorted(base[0])} {sorted(base[1])}", flush=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = {
            pool.submit(judge, tests, heaps, work / f"{t.key}_{factor}", t, factor, base): (t, factor)
            for t in chosen
            for factor in FACTORS
        }
        for job in concurrent.futures.as_completed(jobs):
            threshold, factor = jobs[job]
            entry = threshold.entry(factor)
            results[entry] = said(job.result(), base)
            print(f"{entry}: {results[entry]}", flush=True)
            write_whole(kept, json.dumps(results, indent=1))
    lines = [
        "# What fails without each threshold",
        "",
        "Made by `python benches/thresholds/run.py --out docs/thresholds.md`. Each threshold of the core and of the plugin is",
        "divided and multiplied by ten: counts are rounded, and ten times a cosine is beyond any. Binary by binary the tests of the core and of the plugin run with it, then the families",
        "with a right value and the short scenes in f32, until one fails that does not without the change. If none does, the sum of the mean",
        "steps of all scenes is told where it changes by more than 15 %. A dash: nothing does. What a threshold is for",
        "and its unit stand beside it in the source.",
        "",
        "| threshold | value | a tenth | ten times |",
        "|---|---|---|---|",
    ]
    for t in thresholds:
        low, high = (results[t.entry(factor)] for factor in FACTORS)
        lines.append(f"| {t.crate} `{t.name}` | `{t.value}` | {low} | {high} |")
    write_whole(options.out, "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
