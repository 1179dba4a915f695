// The lessons: every folder under examples/ with a scenario and a README is one.

import { splitDocuments } from '../scenario/split';
import type { Texts } from '../scenario/types';

export interface Lesson {
  name: string; // the folder: "01-first-binding"
  title: string;
  summary: string;
  text: string[]; // paragraphs
  compare: string; // the release to run it with beside the newest; "" if the lesson is about one
  texts: Texts;
}

const scenarios = import.meta.glob<string>('../../../examples/*/scenario.yaml', { query: '?raw', import: 'default', eager: true });
const readmes = import.meta.glob<string>('../../../examples/*/README.md', { query: '?raw', import: 'default', eager: true });

export function readReadme(source: string): { title: string; summary: string; text: string[]; compare: string } {
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source);
  const head = match?.[1] ?? '';
  const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(head)?.[1]?.trim() ?? '';
  const text = (match?.[2] ?? source)
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll('\n', ' ').trim())
    .filter(Boolean);
  return { title: field('title'), summary: field('summary'), text, compare: field('compare') };
}

function folder(path: string): string {
  return path.split('/').at(-2) ?? '';
}

export const LESSONS: Lesson[] = Object.entries(scenarios)
  .map(([path, yaml]) => {
    const name = folder(path);
    const readme = readReadme(Object.entries(readmes).find(([other]) => folder(other) === name)?.[1] ?? '');
    return { name, ...readme, texts: splitDocuments(yaml) };
  })
  .sort((a, b) => a.name.localeCompare(b.name));
