// Where everything on the board is: a pure function of a frame and the width. The same input gives the same places, so
// moves can be drawn by the style sheet and checked by tests. Units are CSS pixels from the board's top left corner.

import type { Frame, NodeView, PodView } from '../engine/door';

export type Form = 'row' | 'pill' | 'glyph';

export interface Token {
  pod: string;
  x: number;
  y: number;
  width: number;
  form: Form;
  place: string; // region name, or "node:NAME"
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Lane extends Box {
  total: number;
  shown: string[];
  hidden: number;
}

export interface Card extends Box {
  node: NodeView;
  bars: string[]; // names of the resources that are drawn
  podsY: number; // from the card's top
  shown: string[];
  hidden: number;
  zoneBelow: boolean; // beside a long name there is no room for it
  nominated: string[]; // pods that wait for room which preemption makes here
}

export interface Layout {
  width: number;
  height: number;
  outside: Box & { shown: string[]; hidden: number };
  lanes: { active: Lane; backoff: Lane; unschedulable: Lane };
  cycle: Box;
  binding: Box & { shown: string[]; hidden: number };
  nodes: Box;
  cards: Card[]; // empty if the nodes are a heat map
  heat: { columns: number; cell: number; top: number; order: string[] } | null;
  tokens: Map<string, Token>;
}

export const SIZE = {
  gap: 20,
  strip: 34, // the pods that are in no queue, in one line
  stripLabel: 92,
  head: 34, // a region's heading
  row: 42, // a waiting pod: its name and one line below
  token: 24,
  rowsShown: 6,
  narrow: 560, // below this width the lanes lie under each other
  card: 176, // least width of a node card
  cardGap: 12,
  cardPadding: 12,
  cardHead: 24,
  bar: 25,
  note: 20,
  heatAbove: 50, // nodes
  heatCell: 18,
  cardRows: 3, // rows of pods on a card
};

function laneBox(x: number, y: number, width: number, pods: string[], rows: number, least: number): Lane {
  const fits = pods.length <= rows ? pods.length : rows;
  const shown = pods.slice(0, fits);
  const hidden = pods.length - shown.length;
  const lines = Math.max(least, shown.length) * SIZE.row + (hidden > 0 ? SIZE.note : 0);
  return { x, y, width, height: SIZE.head + lines, total: pods.length, shown, hidden };
}

export function zoneOrder(nodes: NodeView[]): NodeView[] {
  return nodes
    .map((node, index) => ({ node, index }))
    .sort((a, b) => (a.node.zone < b.node.zone ? -1 : a.node.zone > b.node.zone ? 1 : a.index - b.index))
    .map(({ node }) => node);
}

// CPU and memory always; of the others those that exist here and that pods can request, at most two.
export function barsOf(node: NodeView): string[] {
  const others = Object.keys(node.allocatable).filter(
    (name) => !['cpu', 'memory', 'pods', 'ephemeral-storage'].includes(name) && !/^(hugepages|attachable-volumes)-/.test(name),
  );
  return ['cpu', 'memory', ...others.sort().slice(0, 2)];
}

export function layout(
  frame: Pick<Frame, 'queues' | 'cycle' | 'binding'> & { arriving?: string },
  nodes: NodeView[],
  pods: ReadonlyMap<string, PodView>,
  width: number,
  mayWait = 2, // how many pods there can be that wait: rows which are kept free, so that nothing jumps when they come
): Layout {
  const tokens = new Map<string, Token>();
  const narrow = width < SIZE.narrow;
  const lists = {
    active: frame.queues.active.map((entry) => entry.pod),
    backoff: frame.queues.backoff.map((entry) => entry.pod),
    unschedulable: frame.queues.unschedulable.map((entry) => entry.pod),
  };
  const names = ['active', 'backoff', 'unschedulable'] as const;
  const rows = narrow ? 3 : SIZE.rowsShown;
  const lanes = {} as Layout['lanes'];
  const outside = outsidePods(frame, pods, narrow ? 1 : 3);
  let y = SIZE.strip + (narrow ? 8 : SIZE.gap - 6);
  const columnWidth = narrow ? width : Math.floor((width - 2 * SIZE.gap) / 3);
  names.forEach((name, i) => {
    const x = narrow ? 0 : i * (columnWidth + SIZE.gap);
    lanes[name] = laneBox(x, y, columnWidth, lists[name], rows, narrow ? 0 : Math.max(1, Math.min(2, mayWait)));
    if (narrow) y += lanes[name].height + 8;
  });
  if (narrow) {
    y += SIZE.gap - 8;
  } else {
    const tallest = Math.max(...names.map((name) => lanes[name].height));
    for (const name of names) lanes[name].height = tallest;
    y += tallest + SIZE.gap;
  }
  for (const name of names) {
    const lane = lanes[name];
    lane.shown.forEach((pod, i) => {
      tokens.set(pod, { pod, x: lane.x, y: lane.y + SIZE.head + i * SIZE.row, width: lane.width, form: 'row', place: name });
    });
  }

  const pill = Math.floor((width - SIZE.stripLabel) / (narrow ? 2 : 4));
  outside.shown.forEach((pod, i) => {
    tokens.set(pod, { pod, x: SIZE.stripLabel + i * pill, y: 6, width: pill - 8, form: 'row', place: 'outside' });
  });

  const cycle: Box = { x: 0, y, width, height: SIZE.head + (narrow ? 78 : 58) };
  if (frame.cycle) {
    tokens.set(frame.cycle.pod, { pod: frame.cycle.pod, x: 0, y: y + SIZE.head, width: Math.min(width, 260), form: 'row', place: 'cycle' });
  }
  y += cycle.height + SIZE.gap;

  const bindingShown = frame.binding.slice(0, 4).map((entry) => entry.pod);
  const bindingHidden = frame.binding.length - bindingShown.length;
  const binding = {
    x: 0,
    y,
    width,
    height: SIZE.head + Math.max(1, bindingShown.length) * 30 + (bindingHidden > 0 ? SIZE.note : 0),
    shown: bindingShown,
    hidden: bindingHidden,
  };
  bindingShown.forEach((pod, i) => {
    tokens.set(pod, { pod, x: 0, y: y + SIZE.head + i * 30, width: Math.min(width / 2, 200), form: 'row', place: 'binding' });
  });
  y += binding.height + SIZE.gap;

  const top = y;
  y += SIZE.head;
  const cards: Card[] = [];
  let heat: Layout['heat'] = null;
  const ordered = zoneOrder(nodes);
  const nominated = new Map<string, string[]>();
  for (const [pod, view] of pods) {
    if (view.nominated && !view.node && !view.gone) nominated.set(view.nominated, [...(nominated.get(view.nominated) ?? []), pod]);
  }
  if (nodes.length > SIZE.heatAbove) {
    const columns = Math.max(1, Math.floor(width / SIZE.heatCell));
    const heatTop = y + 34; // below the search field
    heat = { columns, cell: SIZE.heatCell, top: heatTop, order: ordered.map((node) => node.name) };
    y = heatTop + Math.ceil(nodes.length / columns) * SIZE.heatCell;
  } else {
    const columns = Math.max(1, Math.floor((width + SIZE.cardGap) / (SIZE.card + SIZE.cardGap)));
    const cardWidth = Math.floor((width - (columns - 1) * SIZE.cardGap) / columns);
    for (let start = 0; start < ordered.length; start += columns) {
      const row = ordered.slice(start, start + columns).map((node, i) => makeCard(node, i * (cardWidth + SIZE.cardGap), y, cardWidth, tokens, pods, nominated.get(node.name) ?? []));
      const tallest = Math.max(...row.map((card) => card.height));
      for (const card of row) cards.push({ ...card, height: tallest });
      y += tallest + SIZE.cardGap;
    }
    if (ordered.length === 0) y += 30;
  }
  const strip = { x: 0, y: 0, width, height: SIZE.strip, ...outside };
  return { width, height: y, outside: strip, lanes, cycle, binding, nodes: { x: 0, y: top, width, height: y - top }, cards, heat, tokens };
}

// Pods that the API server has but no queue: one that was just created, or one that asks for a scheduler nobody runs.
function outsidePods(
  frame: Pick<Frame, 'queues' | 'cycle' | 'binding'> & { arriving?: string },
  pods: ReadonlyMap<string, PodView>,
  room: number,
): { shown: string[]; hidden: number } {
  const { queues, cycle, binding } = frame;
  const placed = new Set([...queues.active, ...queues.backoff, ...queues.unschedulable, ...binding].map((entry) => entry.pod));
  if (cycle) placed.add(cycle.pod);
  const all: string[] = [];
  const { arriving } = frame;
  if (arriving && !pods.has(arriving) && !placed.has(arriving)) all.push(arriving);
  for (const [pod, view] of pods) {
    if (!view.node && !view.gone && view.phase === 'Pending' && !placed.has(pod)) all.push(pod);
  }
  return { shown: all.slice(0, room), hidden: Math.max(0, all.length - room) };
}

function makeCard(
  node: NodeView,
  x: number,
  y: number,
  width: number,
  tokens: Map<string, Token>,
  pods: ReadonlyMap<string, PodView>,
  nominated: string[],
): Card {
  const bars = barsOf(node);
  const notes = node.taints.length + (node.unschedulable ? 1 : 0);
  const marks = nominated.length > 0 ? 1 : 0;
  const zoneBelow = node.zone !== '' && (node.name.length + node.zone.length + 6) * 7.6 > width - 2 * SIZE.cardPadding - 20;
  const podsY = SIZE.cardPadding + SIZE.cardHead + bars.length * SIZE.bar + (Math.min(notes, 3) + marks + (zoneBelow ? 1 : 0)) * SIZE.note + 6;
  const inner = width - 2 * SIZE.cardPadding;
  const here = node.pods.filter((pod) => pods.size === 0 || pods.has(pod));
  // Long names get a line each, or nobody could tell one from the other.
  const long = here.some((pod) => pod.length - pod.indexOf('/') > 9);
  const pillColumns = Math.max(1, Math.floor(inner / (long ? 132 : 80)));
  const pillRows = long ? SIZE.cardRows + 2 : SIZE.cardRows;
  const form: Form = here.length <= pillColumns * pillRows ? 'pill' : 'glyph';
  const step = form === 'pill' ? Math.floor(inner / pillColumns) : 22;
  const columns = form === 'pill' ? pillColumns : Math.max(1, Math.floor(inner / step));
  const shown = here.slice(0, columns * (form === 'pill' ? pillRows : SIZE.cardRows));
  shown.forEach((pod, i) => {
    tokens.set(pod, {
      pod,
      x: x + SIZE.cardPadding + (i % columns) * step,
      y: y + podsY + Math.floor(i / columns) * SIZE.token,
      width: form === 'pill' ? step - 4 : 20,
      form,
      place: `node:${node.name}`,
    });
  });
  const rows = Math.max(1, Math.ceil(shown.length / columns));
  const hidden = here.length - shown.length;
  const height = podsY + rows * SIZE.token + (hidden > 0 ? SIZE.note : 0) + SIZE.cardPadding - 2;
  return { x, y, width, height, node, bars, podsY, shown, hidden, zoneBelow, nominated };
}

// The middle of a node's cell, for a pod on its way there.
export function heatPlace(heat: NonNullable<Layout['heat']>, node: string): { x: number; y: number } | null {
  const index = heat.order.indexOf(node);
  if (index < 0) return null;
  return { x: (index % heat.columns) * heat.cell, y: heat.top + Math.floor(index / heat.columns) * heat.cell };
}
