// The shapes of the API types for the editors: the core's own table (core/api/schema_data.cpp) as a module of the page,
// "virtual:api-schema", so that there is one truth. Only what can be reached from the kinds that the simulator reads.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import type { ApiSchema, FieldType } from '../src/editor/schema';

const SOURCE = fileURLToPath(new URL('../../core/api/schema_data.cpp', import.meta.url));

function rows(source: string, table: string): string[][] {
  const start = source.indexOf(`${table}[] = {`);
  const block = source.slice(start, source.indexOf('\n};', start));
  return [...block.matchAll(/^ {4}\{(.*)\},?$/gm)].map(([, row]) => [...(row ?? '').matchAll(/"([^"]*)"|[^,\s"]+/g)].map((cell) => cell[1] ?? cell[0]));
}

export function readSchema(source: string): ApiSchema {
  const types = rows(source, 'kSchemaTypes').map(([kind, ref]) => ({ kind: (kind ?? '').replace('SchemaKind::k', ''), ref: Number(ref) }));
  const structs = rows(source, 'kSchemaStructs').map(([name, first, count]) => ({ name: name ?? '', first: Number(first), count: Number(count) }));
  const fields = rows(source, 'kSchemaFields').map(([name, , type]) => ({ name: name ?? '', type: Number(type) }));
  const out: ApiSchema = { kinds: {}, structs: {} };

  const reach = (index: number): string => {
    const { name, first, count } = structs[index] ?? { name: '', first: 0, count: 0 };
    const key = `${name}#${index}`;
    if (!(key in out.structs)) {
      const own: Record<string, FieldType> = {};
      out.structs[key] = own;
      for (const field of fields.slice(first, first + count)) own[field.name] = typeOf(field.type);
    }
    return key;
  };
  const typeOf = (index: number): FieldType => {
    const { kind, ref } = types[index] ?? { kind: 'Any', ref: 0 };
    if (kind === 'Struct') return { is: 'object', of: reach(ref) };
    if (kind === 'List' || kind === 'Map') return { is: kind === 'List' ? 'list' : 'map', item: typeOf(ref) };
    return { is: kind.toLowerCase() };
  };
  for (const [group, version, kind, stored, type] of rows(source, 'kSchemaKinds')) {
    const { kind: is, ref } = types[Number(type)] ?? { kind: '', ref: 0 };
    if (Number(type) <= 0 || version !== stored || is !== 'Struct') continue;
    out.kinds[kind ?? ''] = { apiVersion: group ? `${group}/${version}` : (version ?? ''), of: reach(ref) };
  }
  return out;
}

export function apiSchema(): Plugin {
  const name = 'virtual:api-schema';
  return {
    name: 'api-schema',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? `export default ${JSON.stringify(readSchema(readFileSync(SOURCE, 'utf8')))}` : undefined),
  };
}
