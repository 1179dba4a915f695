#!/usr/bin/env python3
"""Compares random scenarios with the real scheduler: run.py [COUNT] [SEED] [--release R] [--wasm] [--binary PATH] [--keep DIR] [FAMILY...]

Writes COUNT scenarios of each family (default 10) with generate.py from SEED (default: 1000), asks the oracle and the
native build, and lets compare.py judge. A scenario whose oracle traces differ between two runs is random upstream: it
is set aside and counted; where the release draws lots, the first run is followed in them. What differs is kept in
--keep (default build/property/found). --binary names a podberth to use instead of the one that ./dev builds. Needs Go.
"""
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TESTS = os.path.join(ROOT, "tests", "conformance")
sys.path.insert(0, TESTS)
import compare  # noqa: E402  (the judge)
import generate  # noqa: E402


def differs(ours, oracle):
    try:
        return list(compare.differences(compare.entries(ours, True), compare.entries(oracle, True)))
    except (ValueError, KeyError, TypeError, OSError) as err:
        return [f"unreadable: {err!r}"]


def main():
    args = sys.argv[1:]
    wasm = "--wasm" in args
    keep = os.path.join(ROOT, "build", "property", "found")
    if "--keep" in args:
        keep = args.pop(args.index("--keep") + 1)
    release = args.pop(args.index("--release") + 1) if "--release" in args else ""
    binary = args.pop(args.index("--binary") + 1) if "--binary" in args else ""
    older = release.startswith("v1.24")
    args = [a for a in args if not a.startswith("--")]
    numbers = [int(a) for a in args if a.isdigit()]
    families = [a for a in args if not a.isdigit()] or [*generate.FAMILIES, *(generate.ONLY_124 if older else ())]
    count, seed = (numbers + [10, 1000][len(numbers):])[:2]
    work = os.path.join(ROOT, "build", "property")
    shutil.rmtree(work, ignore_errors=True)
    scenarios = os.path.join(work, "scenarios")
    subprocess.run([sys.executable, os.path.join(TESTS, "generate.py"), scenarios, str(seed), str(count), *families], check=True)
    oracle = os.path.join(ROOT, "tests", "oracle-1.24" if older else "oracle", "run")
    runs = []
    for i in range(2):
        out = os.path.join(work, f"oracle-{i}")
        os.makedirs(out)
        subprocess.run([oracle, scenarios, "-o", out], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        runs.append(out)
    ours = os.path.join(work, "ours")
    options = (["--wasm"] if wasm else []) + (["--release", release, "--follow", runs[0]] if older else [])
    if binary:
        os.makedirs(ours)
        files = sorted(os.path.join(scenarios, f) for f in os.listdir(scenarios))
        subprocess.run([binary, "trace", *files, "-o", ours] + options, check=False)
    else:
        subprocess.run([os.path.join(ROOT, "dev"), "trace", scenarios, "-o", ours] + options, check=False)
    equal = random = 0
    found = {}
    for name in sorted(os.listdir(runs[0])):
        truth = [os.path.join(r, name) for r in runs]
        difference = differs(os.path.join(ours, name), truth[0])
        if not difference:
            equal += 1
        elif differs(truth[1], truth[0]):
            random += 1
        else:
            found[name] = difference[0]
    for name, difference in found.items():
        print(f"{name}: {difference}")
        for sub, source in (("scenarios", os.path.join(scenarios, name.replace(".trace.json", ".json"))), ("traces", os.path.join(runs[0], name))):
            os.makedirs(os.path.join(keep, sub), exist_ok=True)
            shutil.copy(source, os.path.join(keep, sub))
    print(f"seed {seed}: {equal} equal, {random} random upstream, {len(found)} differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
