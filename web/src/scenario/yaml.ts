// YAML as Kubernetes reads it: version 1.1 without sexagesimals and without timestamps (those stay strings, as in the Go
// library), keys become strings, anchors and merge keys work. The limits keep text from strangers from blocking the page.

import { type Document, isAlias, isMap, isScalar, isSeq, parseAllDocuments, type Scalar, type Tags } from 'yaml';
import type { Json, JsonObject } from './types';
import { LIMITS } from './types';

export interface Problem {
  severity: 'error' | 'warning' | 'info';
  message: string;
  from: number;
  to: number;
}

export interface ParsedDocument {
  root: unknown; // node of the syntax tree
  value: Json;
  document: Document;
}

const BOOL_WORDS = /^(y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF)$/;

function tags(all: Tags): Tags {
  return all.filter((tag) => {
    if (typeof tag === 'string') return !['timestamp', 'intTime', 'floatTime', 'binary', 'omap', 'pairs', 'set'].includes(tag);
    return tag.format !== 'TIME' && !/timestamp|binary|omap|pairs|:set$/.test(tag.tag);
  });
}

function isDot({ value, source }: Scalar): boolean {
  return typeof value === 'number' && Number.isNaN(value) && /^[-+]?\.[_]*$/.test(source ?? '');
}

class Converter {
  private aliasVisits = 0;
  private insideAlias = 0;
  private stopped = false;
  private readonly anchors = new Map<string, unknown>(); // an alias means the last one above it

  constructor(private readonly problems: Problem[]) {}

  convert(node: unknown, depth = 0): Json {
    if (this.stopped || node === null || node === undefined) return null;
    if (depth > LIMITS.depth) return this.stop(node, `nested more than ${LIMITS.depth} levels deep`);
    if (this.insideAlias > 0 && ++this.aliasVisits > LIMITS.aliasVisits) {
      return this.stop(node, 'the aliases in this document stand for too much text');
    }
    if (isAlias(node)) {
      const target = this.anchors.get(node.source);
      if (!target) return this.stop(node, `unknown anchor: ${node.source}`);
      this.insideAlias++;
      const value = this.convert(target, depth + 1);
      this.insideAlias--;
      return value;
    }
    const anchor = (node as { anchor?: string }).anchor;
    if (anchor) this.anchors.set(anchor, node);
    if (isMap(node)) return this.map(node.items as { key: unknown; value: unknown }[], depth);
    if (isSeq(node)) return node.items.map((item) => this.convert(item, depth + 1));
    if (isScalar(node)) return this.scalar(node);
    return null;
  }

  private map(items: { key: unknown; value: unknown }[], depth: number): JsonObject {
    const out: JsonObject = Object.create(null) as JsonObject;
    const merged: JsonObject[] = [];
    const seen = new Set<string>();
    for (const { key, value } of items) {
      if (isScalar(key) && key.source === '<<' && key.type === 'PLAIN') {
        const from = this.convert(value, depth + 1);
        for (const part of Array.isArray(from) ? from : [from]) {
          if (part && typeof part === 'object' && !Array.isArray(part)) merged.push(part);
        }
        continue;
      }
      const name = this.key(key);
      if (seen.has(name)) this.problem(key, 'error', 'this key is there twice');
      seen.add(name);
      out[name] = this.convert(value, depth + 1);
    }
    for (const part of merged) {
      for (const [key, value] of Object.entries(part)) if (!(key in out)) out[key] = value;
    }
    return out;
  }

  private key(node: unknown): string {
    if (!isScalar(node)) {
      this.problem(node, 'error', 'a key must be a plain value');
      return '';
    }
    const scalar = this.scalar(node);
    const value = isDot(node) ? scalar : node.value;
    return value === null ? 'null' : String(value);
  }

  private scalar(node: Scalar): Json {
    const { value, source } = node;
    if (typeof value === 'boolean' && node.type === 'PLAIN' && source && BOOL_WORDS.test(source)) {
      this.problem(node, 'warning', `Kubernetes reads ${source} as the boolean ${value}; write "${source}" if you mean the text`);
    }
    // The parser takes the plain words "." and "-." for numbers; managedFields are full of the first.
    if (isDot(node)) return source ?? '';
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) {
        this.problem(node, 'error', `${source ?? value} is not a number that JSON can hold`);
        return null;
      }
      if (source && /^[-+]?0[0-9_]+$/.test(source)) {
        this.problem(node, 'warning', `Kubernetes reads ${source} as the octal number ${value}; write "${source}" if you mean the text`);
      }
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
        const digits = source?.replaceAll('_', '').replace(/^\+/, '');
        return digits && /^-?[0-9]+$/.test(digits) ? digits : String(value);
      }
    }
    if (typeof value === 'bigint') return value.toString();
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
    return value === null || value === undefined ? null : String(value);
  }

  private problem(node: unknown, severity: Problem['severity'], message: string): void {
    if (this.insideAlias > 0 || this.problems.length >= LIMITS.issues) return;
    const range = (node as { range?: [number, number, number] | null } | null)?.range;
    this.problems.push({ severity, message, from: range?.[0] ?? 0, to: range?.[1] ?? range?.[0] ?? 0 });
  }

  private stop(node: unknown, message: string): null {
    this.insideAlias = 0;
    this.problem(node, 'error', message);
    this.stopped = true;
    return null;
  }
}

export function parseYaml(text: string, problems: Problem[]): ParsedDocument[] {
  if (text.length > LIMITS.textBytes) {
    problems.push({ severity: 'error', message: `more than ${LIMITS.textBytes / 1e6} MB of text`, from: 0, to: 0 });
    return [];
  }
  // The parser descends by recursion: a line that opens too many brackets is refused before it is tried.
  const deep = tooDeep(text);
  if (deep >= 0) {
    problems.push({ severity: 'error', message: `nested more than ${LIMITS.depth} levels deep`, from: deep, to: deep + 1 });
    return [];
  }
  let documents: Document[];
  try {
    const parsed = parseAllDocuments(text, {
      version: '1.1',
      customTags: tags,
      keepSourceTokens: false,
      prettyErrors: false,
      uniqueKeys: false, // the parser compares every key with every other one; see Converter.map
      logLevel: 'silent',
    });
    documents = Array.isArray(parsed) ? (parsed as unknown as Document[]) : [];
  } catch (error) {
    const message = error instanceof RangeError ? 'nested too deep to read' : `cannot be read: ${String(error)}`;
    problems.push({ severity: 'error', message, from: 0, to: 0 });
    return [];
  }
  const out: ParsedDocument[] = [];
  for (const document of documents) {
    for (const error of document.errors) {
      if (problems.length >= LIMITS.issues) break;
      const [from, to] = error.pos;
      problems.push({ severity: 'error', message: words(error.code, error.message), from, to: Math.max(to, from + 1) });
    }
    if (document.errors.length > 0) continue;
    let value: Json = null;
    try {
      value = new Converter(problems).convert(document.contents);
    } catch {
      problems.push({ severity: 'error', message: 'nested too deep to read', from: 0, to: 0 });
    }
    out.push({ root: document.contents, value, document });
  }
  return out;
}

// What the parser says, for people who do not know its terms.
const PLAIN: [RegExp, string][] = [
  [/^Implicit map keys need to be followed by map values/, 'a colon is missing behind this key'],
  [/^Implicit keys need to be on a single line/, 'a key cannot go over several lines; is a colon or a quote missing?'],
  [/^All mapping items must start at the same column/, 'this line is indented differently from those beside it'],
  [/^All sequence items must start at the same column/, 'this line is indented differently from those beside it'],
  [/^Nested mappings are not allowed in compact mappings/, 'a key cannot stand inside a plain value; quote the value, or look at the line above'],
  [/^A block sequence may not be used as an implicit map key/, 'a list cannot stand here; is its indentation right?'],
  [/^Missing closing ["']quote/, 'the closing quote is missing'],
  [/^Flow (map|sequence) in block collection must be (sufficiently )?indented/, 'a closing bracket is missing, or it stands too far to the left'],
  [/^Unexpected (flow-seq-end|flow-map-end) token/, 'this bracket closes nothing'],
  [/^Unexpected .* (at node end|in YAML stream)/, 'this does not go with what is above it; is its indentation right?'],
];

function words(code: string, message: string): string {
  const plain = PLAIN.find(([pattern]) => pattern.test(message));
  if (plain) return plain[1];
  if (code === 'TAB_AS_INDENT') return 'a tab cannot indent YAML; use spaces';
  if (message.startsWith('Maximum call stack')) return `nested more than ${LIMITS.depth} levels deep`;
  return message;
}

// The offset where flow brackets or block indentation pass the limit, or -1.
function tooDeep(text: string): number {
  let brackets = 0;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quote) {
      if (c === quote || c === '\n') quote = '';
    } else if (c === '"' || c === "'") {
      quote = c;
    } else if (c === '[' || c === '{') {
      if (++brackets > LIMITS.depth) return i;
    } else if (c === ']' || c === '}') {
      brackets = Math.max(0, brackets - 1);
    }
  }
  // Deep indentation: each line that stands further to the right than all open ones opens a level.
  const open: number[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const indent = line.search(/[^ ]/);
    if (indent >= 0) {
      while (open.length > 0 && (open.at(-1) ?? 0) >= indent) open.pop();
      open.push(indent);
      if (open.length > 2 * LIMITS.depth) return start + indent;
    }
    start += line.length + 1;
  }
  // Compact sequences ("- - - -").
  for (const match of text.matchAll(/^[ ]*(?:- +){50,}/gm)) return match.index;
  return -1;
}
