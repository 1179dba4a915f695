// Where in a YAML document the cursor stands, told from the indentation alone: while somebody types, the text is hardly
// ever valid. Block style only.

export interface Cursor {
  kind: string; // of the document; "" if it has none yet
  path: string[]; // to the object that the cursor is in; "[]" is an item of a list
  mode: 'key' | 'value' | 'item'; // a field's name, a field's value, a plain item of a list
  key: string; // the field, of a value
  prefix: string; // what is there already, up to the cursor
  indent: number; // column of the fields of that object
  siblings: Set<string>; // fields that the object has already
  empty: boolean; // the document has nothing but this line
}

interface Line {
  dashes: number[];
  column: number;
  key: string | null;
}

function readLine(text: string): Line | null {
  const match = /^( *)((?:- +|-$)*)(.*)$/.exec(text);
  const [, indent = '', marks = '', content = ''] = match ?? [];
  if ((!content.trim() && !marks) || content.startsWith('#')) return null;
  const dashes = [...marks].flatMap((c, i) => (c === '-' ? [indent.length + i] : []));
  const key = /^("[^"]*"|'[^']*'|[^\s#:][^:]*?)\s*:(?:\s|$)/.exec(content)?.[1] ?? null;
  return { dashes, column: indent.length + marks.length, key: key?.replace(/^["']|["']$/g, '') ?? null };
}

// The path to what stands at `column`, with `dashes` before it on its own line, and the lines above it.
function pathTo(above: string[], dashes: number[], column: number): string[] {
  const path: string[] = [];
  let dash = false;
  let at = column;
  const enter = (marks: number[]) => {
    for (const mark of marks.filter((mark) => mark < at).reverse()) {
      path.unshift('[]');
      at = mark;
      dash = true;
    }
  };
  enter(dashes);
  for (let i = above.length - 1; i >= 0 && (at > 0 || dash); i--) {
    const line = readLine(above[i] ?? '');
    if (!line) continue;
    const isParent = dash ? line.column <= at && !line.dashes.includes(at) : line.column < at;
    if (isParent && line.key !== null) {
      path.unshift(line.key);
      at = line.column;
      dash = false;
      enter(line.dashes);
    } else if (!dash && line.dashes.some((mark) => mark < at)) {
      enter(line.dashes);
    }
  }
  return path;
}

function siblingsOf(lines: string[], index: number, column: number, startsItem: boolean): Set<string> {
  const out = new Set<string>();
  const look = (from: number, by: number) => {
    for (let i = from; i >= 0 && i < lines.length; i += by) {
      const line = readLine(lines[i] ?? '');
      if (!line) continue;
      const first = line.dashes.length > 0 && line.column === column;
      if (by > 0 && (line.column < column || line.dashes.some((mark) => mark < column))) return;
      if (line.column < column) return;
      if (line.column === column && line.key !== null) out.add(line.key);
      if (by < 0 && (first || line.dashes.some((mark) => mark < column))) return;
    }
  };
  if (!startsItem) look(index - 1, -1);
  look(index + 1, 1);
  return out;
}

export function cursorAt(text: string, offset: number): Cursor | null {
  const before = text.slice(0, offset);
  const start = Math.max(0, before.search(/^---[^\n]*\n(?![\s\S]*^---[^\n]*\n)/m));
  const head = before.slice(start).replace(/^---[^\n]*\n/, '');
  const tail = text.slice(offset);
  const end = tail.search(/^---/m);
  const lines = (head + (end < 0 ? tail : tail.slice(0, end))).split('\n');
  const index = head.split('\n').length - 1;
  const line = head.split('\n').at(-1) ?? '';

  const match = /^( *)((?:- +|-$)*)(.*)$/.exec(line);
  const [, indent = '', marks = '', content = ''] = match ?? [];
  if (/(^|\s)#/.test(content)) return null;
  const dashes = [...marks].flatMap((c, i) => (c === '-' ? [indent.length + i] : []));
  const column = indent.length + marks.length;
  const path = pathTo(lines.slice(0, index), dashes, column);
  const kind = lines.map((one) => /^kind: *["']?(\w+)/.exec(one)?.[1]).find(Boolean) ?? '';
  const siblings = siblingsOf(lines, index, column, dashes.length > 0);
  const empty = lines.every((one, i) => i === index || !one.trim());
  const common = { kind, path, indent: column, siblings, empty };

  const value = /^("[^"]*"|'[^']*'|[^\s#:][^:]*?)\s*:\s+(.*)$/.exec(content);
  if (value) {
    const prefix = (value[2] ?? '').replace(/^["']/, '');
    return { ...common, mode: 'value', key: (value[1] ?? '').replace(/^["']|["']$/g, ''), prefix };
  }
  if (!/^["']?[\w./*-]*$/.test(content)) return null;
  return { ...common, mode: 'key', key: '', prefix: content.replace(/^["']/, '') };
}
