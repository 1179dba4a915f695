#!/usr/bin/env python3
"""judge.py OURS ORACLE SKIP: lets compare.py judge every trace in ORACLE that the skip list does not name.

Prints what compare.py prints, and how many were left out. Exit status 0 if all that were judged are equal.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile


def main():
    ours, oracle, skip_file = sys.argv[1:4]
    with open(skip_file, encoding="utf-8") as f:
        skip = json.load(f)
    left_out = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(os.listdir(oracle)):
            vector = name.removesuffix(".trace.json")
            if vector in skip["vectors"] or vector.split("-")[0] in skip["families"]:
                left_out += 1
            else:
                shutil.copy(os.path.join(oracle, name), folder)
        if not os.listdir(folder):
            print(f"{oracle}: all {left_out} left out")
            return 0
        compare = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compare.py")
        status = subprocess.run([sys.executable, compare, ours, folder], check=False).returncode
    print(f"{left_out} left out by {skip_file}")
    return status


if __name__ == "__main__":
    sys.exit(main())
