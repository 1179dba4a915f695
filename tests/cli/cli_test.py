#!/usr/bin/env python3
"""The native command line: what it writes, what it says and how it ends.

usage: cli_test.py PODBERTH
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

PODBERTH = ""


def node(name):
    amounts = {"cpu": "2", "memory": "4Gi", "pods": "10"}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": {"allocatable": amounts}}


def pod(name):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name},
            "spec": {"containers": [{"name": "c", "image": "i"}]}}


def create(thing):
    return {"op": "create", "object": thing}


SETTLE = {"op": "settle"}


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, value):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(value if isinstance(value, str) else json.dumps(value))
        return self.path(name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)

    def scenario(self, name="one", steps=None, **fields):
        steps = steps if steps is not None else [create(pod("a")), SETTLE]
        return self.write(name + ".json", {"name": name, "objects": [node("n1"), node("n2")], "steps": steps, **fields})

    def run_it(self, *arguments):
        return subprocess.run([PODBERTH, *arguments], capture_output=True, text=True, check=False)

    def test_a_trace_is_written_and_nothing_is_said(self):
        done = self.run_it("trace", self.scenario(), "-o", self.path("out"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        bound = [entry for entry in self.read("out/one.trace.json")["trace"] if entry["type"] == "bind"]
        self.assertEqual([entry["pod"] for entry in bound], ["default/a"])

    def test_problems_of_objects_are_one_line_a_scenario(self):
        bad = [create({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}}) for name in "ab"]
        done = self.run_it("trace", self.scenario(steps=bad + [SETTLE]), self.scenario("two"), "-o", self.path("out"))
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertRegex(done.stderr, r"one\.json: /steps/0/object.*more\)")
        refused = [entry for entry in self.read("out/one.trace.json")["trace"] if entry.get("rejected")]
        self.assertEqual(len(refused), 2)

    def test_a_scenario_that_cannot_be_read_does_not_stop_the_others(self):
        broken = self.write("broken.json", "{")
        done = self.run_it("trace", broken, self.path("missing.json"), self.scenario(), "-o", self.path("out"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("broken.json", done.stderr)
        self.assertIn("missing.json: cannot be read", done.stderr)
        self.assertTrue(os.path.exists(self.path("out/one.trace.json")))

    def test_a_run_that_cannot_go_on_ends_with_one(self):
        unknown = {"op": "delete", "kind": "Nothing", "name": "x"}
        done = self.run_it("trace", self.scenario(steps=[unknown, SETTLE]), "-o", self.path("out"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("Nothing", done.stderr)

    def test_a_wrong_call_ends_with_two(self):
        for arguments in ([], ["trace"], ["dance", self.scenario()], ["trace", self.scenario(), "--loud"],
                          ["trace", self.scenario(), "-o"], ["bench"]):
            done = self.run_it(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn("usage: podberth", done.stderr)

    def test_a_release_that_is_not_simulated_ends_with_two(self):
        done = self.run_it("trace", self.scenario(), "--release", "v1.5", "-o", self.path("out"))
        self.assertEqual(done.returncode, 2)
        self.assertIn('release "v1.5" is not simulated', done.stderr)

    def test_the_release_can_be_chosen(self):
        self.run_it("trace", self.scenario(), "--release", "v1.24", "-o", self.path("out"))
        self.assertIn("v1.24", json.dumps(self.read("out/one.trace.json"))[:200])

    def test_choices_are_followed_unless_they_are_none(self):
        scenario = self.scenario(release="v1.24")
        self.assertEqual(self.run_it("trace", scenario, "-o", self.path("drawn")).returncode, 0)
        trace = self.read("drawn/one.trace.json")
        cycle = next(entry for entry in trace["trace"] if entry["type"] == "cycle")
        for host, ends in (("n1", 0), ("n2", 0), ("n9", 1)):
            cycle["host"] = host
            self.write("one.trace.json", trace)
            done = self.run_it("trace", scenario, "--follow", self.folder.name, "-o", self.path("out"))
            self.assertEqual(done.returncode, ends, (host, done.stderr))
            if ends == 0:
                followed = self.read("out/one.trace.json")["trace"]
                self.assertEqual(next(e for e in followed if e["type"] == "bind")["node"], host)
            else:
                self.assertIn("n9", done.stderr)

    def test_following_nothing_ends_with_one(self):
        done = self.run_it("trace", self.scenario(release="v1.24"), "--follow", self.path("none"), "-o", self.path("out"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("one.trace.json: cannot be read", done.stderr)

    def test_hashes_are_one_line_a_step(self):
        done = self.run_it("hashes", self.scenario())
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertGreater(len(lines), 3)
        for i, line in enumerate(lines):
            self.assertRegex(line, rf"^one {i} [0-9a-f]{{16}}$")


if __name__ == "__main__":
    PODBERTH = os.path.abspath(sys.argv.pop(1))
    unittest.main()
