#!/usr/bin/env node
// podberth: runs scenarios with the WebAssembly module.
//   podberth run SCENARIO             prints what became of each pod
//   podberth trace SCENARIO... -o DIR writes DIR/NAME.trace.json for each (without -o: to the screen)
//   podberth canonical SCENARIO       prints a YAML scenario as canonical JSON
//   podberth hashes SCENARIO...       prints the state hash of every step
//   podberth bench SCENARIO           times the decisions
// --release R runs another release than the scenario names. --follow DIR takes what the release leaves to chance from
// the traces of the real scheduler in DIR.
// A scenario is canonical JSON or YAML (Kubernetes manifests, a KubeSchedulerConfiguration, a Timeline).
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import process from 'node:process';

const usage = 'usage: podberth run|trace|canonical|hashes|bench SCENARIO... [-o DIR] [--release R] [--follow DIR]';

function fail(message) {
  process.stderr.write(`podberth: ${message}\n`);
  process.exitCode = 1;
}

/** The scenario in a file as JSON text; undefined, and a message, if it is none. */
async function canonical(file) {
  const text = await readFile(file, 'utf8');
  if (!/\.ya?ml$/i.test(file)) return text;
  const { readScenarioText } = await import('../dist/scenario.mjs');
  const { scenario, issues } = readScenarioText(text, basename(file, extname(file)));
  const errors = issues.filter((i) => i.severity === 'error');
  for (const e of errors) fail(`${file}:${e.line}:${e.column}: ${e.message}`);
  return errors.length > 0 ? undefined : JSON.stringify(scenario);
}

function told(answer, file) {
  for (const issue of answer.issues ?? []) {
    if (issue.severity === 'error') process.stderr.write(`${file}: ${issue.path}: ${issue.message}\n`);
  }
}

/** The options of load() for a file. */
async function optionsFor(file, release, follow) {
  const options = { detailLimit: 1000000 };
  if (release !== undefined) options.release = release;
  if (follow !== undefined) {
    options.follow = JSON.parse(await readFile(join(follow, `${basename(file, extname(file))}.trace.json`), 'utf8'));
  }
  return JSON.stringify(options);
}

async function main(args) {
  const command = args.shift();
  let out;
  let release;
  let follow;
  const files = [];
  while (args.length > 0) {
    const arg = args.shift();
    if (arg === '-o') out = args.shift();
    else if (arg === '--release') release = args.shift();
    else if (arg === '--follow') follow = args.shift();
    else if (arg.startsWith('-')) return fail(usage);
    else files.push(arg);
  }
  if (!['run', 'trace', 'canonical', 'hashes', 'bench'].includes(command) || files.length === 0) return fail(usage);
  const { createDoor } = command === 'canonical' ? {} : await import('../node.js');
  if (out !== undefined) await mkdir(out, { recursive: true });
  for (const file of files) {
    let text;
    let options;
    try {
      text = await canonical(file);
      options = await optionsFor(file, release, follow);
    } catch (e) {
      fail(`${file}: ${e.message}`);
      continue;
    }
    if (text === undefined) continue;
    if (command === 'canonical') {
      process.stdout.write(text + '\n');
      continue;
    }
    const door = await createDoor();
    if (command === 'bench') {
      process.stdout.write(door.bench(text) + '\n');
      continue;
    }
    if (command === 'hashes') {
      door.load(text, JSON.stringify({ ...JSON.parse(options), detailLimit: 200 }));
      const { steps } = JSON.parse(door.run('{"toEnd":true}'));
      const hash = (step) => JSON.parse(door.seek(JSON.stringify({ step }))).hash;
      const all = Array.from({ length: steps + 1 }, (_, i) => hash(i));
      const changed = all.findLastIndex((h, i) => hash(i) !== h);
      if (changed >= 0) fail(`${file}: going back to step ${changed} gives another state`);
      all.forEach((h, i) => process.stdout.write(`${basename(file, extname(file))} ${i} ${h}\n`));
      continue;
    }
    const loaded = JSON.parse(door.load(text, options));
    if (!loaded.ok) {
      told(loaded, file);
      process.exitCode = 1;
      continue;
    }
    const ran = JSON.parse(door.run('{"toEnd":true}'));
    if (ran.failure) fail(`${file}: ${ran.failure}`);
    if (command === 'trace') {
      const { trace } = JSON.parse(door.trace('{}'));
      if (out === undefined) process.stdout.write(trace);
      else await writeFile(join(out, `${basename(file, extname(file))}.trace.json`), trace);
      continue;
    }
    told(loaded, file);
    told(ran, file);
    const { pods } = JSON.parse(door.seek(JSON.stringify({ step: ran.steps, nodes: 'all' })));
    const rows = Object.entries(pods).map(([name, p]) => [name, p.node || '-', p.nominated || '-', p.message || p.condition]);
    const table = [['POD', 'NODE', 'NOMINATED', 'CONDITION'], ...rows];
    const width = [0, 1, 2].map((i) => Math.max(...table.map((r) => r[i].length)));
    for (const r of table) {
      process.stdout.write(`${r.slice(0, 3).map((c, i) => c.padEnd(width[i])).join('  ')}  ${r[3]}\n`);
    }
  }
}

await main(process.argv.slice(2));
