// The types of what the simulator's door takes and returns (wasm/DOOR.md). The page knows no other truth about scheduling.

export type Severity = 'error' | 'warning' | 'info';

export interface Issue {
  severity: Severity;
  path: string; // JSON pointer into the document that was passed in
  message: string;
}

export interface Reply {
  ok: boolean;
  issues?: Issue[];
}

export interface PluginInfo {
  name: string;
  points: string[];
  defaultWeight: number;
  scores: boolean;
}

export interface VersionReply extends Reply {
  version: string;
  release: string;
  plugins: PluginInfo[];
  events: string[];
  releases?: ReleaseInfo[]; // newest first
}

export interface ReleaseInfo {
  name: string; // "v1.37", as a scenario says it
  version: string;
  plugins: PluginInfo[];
}

export interface RunReply extends Reply {
  steps: number;
  done: boolean;
  t?: number;
}

export interface ApplyReply extends RunReply {
  firstStep: number;
  cut: number; // cycles that stay of a settle that was cut
  rejected: string;
}

export interface ActivePod {
  pod: string;
  priority: number;
  attempts: number;
}

export interface BackoffPod {
  pod: string;
  until: number;
  left: number;
  error: boolean;
  attempts: number;
}

export interface UnschedulablePod {
  pod: string;
  plugins: string[];
  pending?: string[];
  gated: string; // the PreEnqueue plugin, or ""
  message: string;
  attempts: number;
}

export interface PointResult {
  point: string;
  code: string;
}

export interface CycleView {
  pod: string;
  attempt: number;
  profile: string;
  points: PointResult[];
  host: string;
}

export interface BindingView {
  pod: string;
  node: string;
  points: PointResult[];
}

export interface PodView {
  phase: string;
  node: string;
  nominated: string;
  condition: string;
  message: string;
  priority: number;
  group: string;
  scheduler?: string; // the scheduler that the pod asks for
  requests?: Record<string, number>; // as the scheduler counts them
  gone: boolean;
}

export interface NodeView {
  name: string;
  zone: string;
  unschedulable: boolean;
  taints: string[];
  allocatable: Record<string, number>;
  requested: Record<string, number>;
  pods: string[];
  gone: boolean;
}

export interface Metrics {
  attempts: { scheduled: number; unschedulable: number; error: number };
  evicted: number;
  moves: { event: string; queue: string; pods: number }[];
  wait: { total: number; longest: number }; // seconds
}

export interface Frame extends Reply {
  step: number;
  steps: number;
  done: boolean;
  t: number;
  hash: string;
  operation: number;
  sentence: string;
  kind: string;
  entry?: Record<string, unknown>;
  focus?: { pod?: string; node?: string };
  queues: { active: ActivePod[]; backoff: BackoffPod[]; unschedulable: UnschedulablePod[] };
  cycle: CycleView | null;
  binding: BindingView[];
  metrics?: Metrics; // up to this step
  pods: Record<string, PodView>;
  nodes: NodeView[];
  nodeOrder?: string[];
}

export interface Verdict {
  code: string;
  reasons?: string[];
  skipped?: boolean;
}

export interface AttemptNode {
  name: string;
  evaluated?: boolean; // absent: not known
  code: string;
  plugin?: string;
  reasons: string[];
  verdicts: Verdict[];
}

export interface ScoreCell {
  raw: number;
  normalized: number;
  weighted: number;
}

// A call of an extender in an attempt. `scores` are 0 to 10; an error that is ignored has no consequences.
export interface ExtenderCall {
  extender: string;
  verb: 'filter' | 'prioritize' | 'preempt' | 'bind';
  url: string;
  nodes: string[];
  failed?: Record<string, string>;
  unresolvable?: Record<string, string>;
  scores?: Record<string, number>;
  weight?: number;
  victims?: Record<string, string[]>;
  error?: string;
  ignored?: boolean;
}

export interface Attempt extends Reply {
  pod: string;
  attempt: number;
  step: number;
  t: number;
  profile: string;
  preFilter: { code: string; plugin?: string; reasons: string[] } | null;
  preFilterNodes: string[] | null;
  plugins: string[];
  nodes: AttemptNode[];
  scorePlugins: { name: string; weight: number }[];
  scores: { node: string; total: number; plugins: ScoreCell[] }[];
  host: string;
  evaluated: number;
  feasible: number;
  hint: string;
  error: string;
  unschedulablePlugins: string[];
  postFilter: { code: string; nominated: string; message: string } | null;
  event: string;
  extenders?: ExtenderCall[];
  why: string[];
}

export interface Explanation extends Reply {
  title: string;
  lines: { text: string; ref?: string }[];
}

export interface TraceReply extends Reply {
  trace: string;
}

export type Op =
  | { op: 'create' | 'update'; object: unknown }
  | { op: 'delete'; kind: string; namespace?: string; name: string }
  | { op: 'advance'; seconds: number }
  | { op: 'step' | 'settle' };

// What the module itself looks like: text in, text out. `apply` takes {"op":…,"at":"end"} to append.
export interface Door {
  version(): string;
  load(scenario: string, options: string): string;
  run(budget: string): string;
  seek(target: string): string;
  apply(op: string): string;
  attempt(query: string): string;
  explain(query: string): string;
  check(document: string): string;
  trace(options: string): string;
}

export type DoorFunction = keyof Door;
