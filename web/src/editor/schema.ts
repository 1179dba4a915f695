// What may be written where: the shapes of the API types, and that of a scheduler's configuration, by path.

export interface FieldType {
  is: string; // 'object', 'list', 'map', else what a plain value is
  of?: string; // the type of an object
  item?: FieldType; // of a list or a map
}

export interface ApiSchema {
  kinds: Record<string, { apiVersion: string; of: string }>;
  structs: Record<string, Record<string, FieldType>>;
}

const object = (of: string): FieldType => ({ is: 'object', of });
const list = (item: FieldType): FieldType => ({ is: 'list', item });
const STRING: FieldType = { is: 'string' };
const BOOL: FieldType = { is: 'bool' };
const INT: FieldType = { is: 'int32' };

export const POINTS = ['multiPoint', 'preEnqueue', 'queueSort', 'preFilter', 'filter', 'postFilter', 'preScore', 'score', 'reserve', 'permit', 'preBind', 'bind', 'postBind'];
const WEIGHTED: FieldType = list(object('Resource'));

// KubeSchedulerConfiguration is in no table of API types: it is a file that only the scheduler reads.
const CONFIGURATION: Record<string, Record<string, FieldType>> = {
  Configuration: {
    apiVersion: STRING,
    kind: STRING,
    percentageOfNodesToScore: INT,
    podInitialBackoffSeconds: INT,
    podMaxBackoffSeconds: INT,
    parallelism: INT,
    profiles: list(object('Profile')),
  },
  Profile: { schedulerName: STRING, percentageOfNodesToScore: INT, plugins: object('Plugins'), pluginConfig: list(object('PluginConfig')) },
  Plugins: Object.fromEntries(POINTS.map((point) => [point, object('PluginSet')])),
  PluginSet: { enabled: list(object('Plugin')), disabled: list(object('Plugin')) },
  Plugin: { name: STRING, weight: INT },
  PluginConfig: { name: STRING, args: object('Args') },
  Args: {
    scoringStrategy: object('ScoringStrategy'),
    ignoredResources: list(STRING),
    ignoredResourceGroups: list(STRING),
    resources: WEIGHTED,
    addedAffinity: object('NodeAffinity'),
    hardPodAffinityWeight: INT,
    ignorePreferredTermsOfExistingPods: BOOL,
    defaultConstraints: list(object('TopologySpreadConstraint')),
    defaultingType: STRING,
    minCandidateNodesPercentage: INT,
    minCandidateNodesAbsolute: INT,
    bindTimeoutSeconds: INT,
  },
  ScoringStrategy: { type: STRING, resources: WEIGHTED, requestedToCapacityRatio: object('Ratio') },
  Ratio: { shape: list(object('ShapePoint')) },
  ShapePoint: { utilization: INT, score: INT },
  Resource: { name: STRING, weight: INT },
  Pool: { apiVersion: STRING, kind: STRING, metadata: object('ObjectMeta'), spec: object('PoolSpec') },
  PoolSpec: { count: INT, zones: list(STRING), template: object('PoolTemplate') },
  PoolTemplate: { metadata: object('ObjectMeta'), spec: object('NodeSpec'), status: object('NodeStatus') },
  Extender: { apiVersion: STRING, kind: STRING, metadata: object('ObjectMeta'), spec: object('ExtenderAnswers') },
  ExtenderAnswers: { urlPrefix: STRING, ...Object.fromEntries(['filter', 'prioritize', 'preempt', 'bind'].map((verb) => [verb, list(object('ExtenderRule'))])) },
  ExtenderRule: {
    when: object('ExtenderWhen'),
    nodes: object('ExtenderNodes'),
    accept: BOOL,
    reject: STRING,
    unresolvable: STRING,
    score: INT,
    drop: BOOL,
    victims: list(STRING),
    error: STRING,
    status: INT,
    unreachable: STRING,
    bound: BOOL,
  },
  ExtenderWhen: { podSelector: object('LabelSelector'), namespace: STRING, resource: STRING, fromSecond: INT, untilSecond: INT },
  ExtenderNodes: { names: list(STRING), selector: object('LabelSelector') },
  SamplePlugins: { apiVersion: STRING, kind: STRING },
  Timeline: { apiVersion: STRING, kind: STRING, controllers: BOOL, featureGates: { is: 'map', item: BOOL }, steps: list(object('Step')) },
  Step: { op: STRING, kind: STRING, name: STRING, namespace: STRING, seconds: INT, object: { is: 'any' } },
};
const OWN_KINDS: ApiSchema['kinds'] = {
  KubeSchedulerConfiguration: { apiVersion: 'kubescheduler.config.k8s.io/v1', of: 'Configuration' },
  Timeline: { apiVersion: 'podberth/v1', of: 'Timeline' },
  NodePool: { apiVersion: 'podberth/v1', of: 'Pool' },
  Extender: { apiVersion: 'podberth/v1', of: 'Extender' },
  SamplePlugins: { apiVersion: 'podberth/v1', of: 'SamplePlugins' },
};

export class Schema {
  constructor(private readonly api: ApiSchema) {}

  kinds(): string[] {
    return [...Object.keys(this.api.kinds), ...Object.keys(OWN_KINDS)];
  }

  apiVersion(kind: string): string {
    return (OWN_KINDS[kind] ?? this.api.kinds[kind])?.apiVersion ?? '';
  }

  // The fields of an object type, and its name without what tells two of the same name apart.
  fields(of: string): Record<string, FieldType> {
    return CONFIGURATION[of] ?? this.api.structs[of] ?? this.api.structs[Object.keys(this.api.structs).find((key) => key.startsWith(`${of}#`)) ?? ''] ?? {};
  }

  // What is at a path of a document; "[]" stands for an item of a list.
  typeAt(kind: string, path: string[]): FieldType | null {
    const root = OWN_KINDS[kind] ?? this.api.kinds[kind];
    let type: FieldType | null = root ? object(root.of) : null;
    for (const segment of path) {
      if (!type) return null;
      if (segment === '[]') type = type.is === 'list' ? (type.item ?? null) : null;
      else if (type.of !== undefined) type = this.fields(type.of)[segment] ?? null;
      else type = type.is === 'map' ? (type.item ?? null) : null;
    }
    return type;
  }

  // "PodSpec" of the object that a path leads to.
  nameAt(kind: string, path: string[]): string {
    const type = this.typeAt(kind, path);
    return type?.of?.replace(/#\d+$/, '') ?? '';
  }
}
