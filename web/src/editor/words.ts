// Values that fields may have, and what fields are for, in a sentence each. The types of the API say neither.

// By "Type.field", else by the field's name.
export const VALUES: Record<string, string[]> = {
  'Taint.effect': ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
  'Toleration.effect': ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
  'Toleration.operator': ['Exists', 'Equal'],
  'NodeSelectorRequirement.operator': ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'],
  'LabelSelectorRequirement.operator': ['In', 'NotIn', 'Exists', 'DoesNotExist'],
  'PodSpec.preemptionPolicy': ['PreemptLowerPriority', 'Never'],
  'PriorityClass.preemptionPolicy': ['PreemptLowerPriority', 'Never'],
  'PodSpec.restartPolicy': ['Always', 'OnFailure', 'Never'],
  'Container.restartPolicy': ['Always'],
  'PodStatus.phase': ['Pending', 'Running', 'Succeeded', 'Failed'],
  'ContainerPort.protocol': ['TCP', 'UDP', 'SCTP'],
  'StorageClass.volumeBindingMode': ['WaitForFirstConsumer', 'Immediate'],
  'ScoringStrategy.type': ['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio'],
  'Args.defaultingType': ['System', 'List'],
  'Step.op': ['create', 'update', 'delete', 'advance', 'step', 'settle'],
  whenUnsatisfiable: ['DoNotSchedule', 'ScheduleAnyway'],
  nodeAffinityPolicy: ['Honor', 'Ignore'],
  nodeTaintsPolicy: ['Honor', 'Ignore'],
  accessModes: ['ReadWriteOnce', 'ReadWriteOncePod', 'ReadOnlyMany', 'ReadWriteMany'],
};

export const RESOURCES = ['cpu', 'memory', 'pods', 'ephemeral-storage', 'nvidia.com/gpu'];
export const LABELS = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone', 'topology.kubernetes.io/region', 'kubernetes.io/arch', 'kubernetes.io/os', 'node.kubernetes.io/instance-type'];

const DOCS: Record<string, string> = {
  nodeName: 'The node that the pod runs on. A pod with it is never scheduled; Bind writes it.',
  nodeSelector: 'Labels that a node must have. Checked by NodeAffinity.',
  affinity: 'Rules about nodes and about other pods.',
  nodeAffinity: 'Which nodes, by their labels: what is required, and what is preferred.',
  podAffinity: 'Near which pods, within one value of a topology key.',
  podAntiAffinity: 'Away from which pods, within one value of a topology key.',
  requiredDuringSchedulingIgnoredDuringExecution: 'A node that does not meet this is ruled out. Pods that run already stay.',
  preferredDuringSchedulingIgnoredDuringExecution: 'A node that meets this gets points, by its weight.',
  nodeSelectorTerms: 'One of the terms must match; within a term, all of it.',
  topologyKey: 'A label of nodes: nodes with the same value are one place.',
  topologySpreadConstraints: 'How evenly pods that match are spread over the values of a topology key.',
  maxSkew: 'By how many pods the fullest place may exceed the emptiest.',
  minDomains: 'As long as there are fewer places, the emptiest counts as having none.',
  whenUnsatisfiable: 'DoNotSchedule rules nodes out; ScheduleAnyway only costs points.',
  tolerations: 'Taints that the pod puts up with. They open a door, they do not pull.',
  taints: 'What keeps pods away that do not tolerate it.',
  tolerationSeconds: 'How long a pod stays on a node with a NoExecute taint. The scheduler does not look at it.',
  schedulingGates: 'While there is one, the pod does not enter activeQ.',
  schedulerName: 'The profile that schedules the pod. If no profile has the name, nobody does.',
  priorityClassName: 'A PriorityClass; its value becomes the priority.',
  priority: 'Higher goes first in activeQ and may preempt lower.',
  preemptionPolicy: 'Never: the pod does not push others off a node.',
  requests: 'What the pod reserves. The scheduler counts only this, never real usage.',
  limits: 'What the kubelet enforces. Where a request is missing, it becomes the request.',
  overhead: 'Added to the requests, for the sandbox around the pod.',
  hostPort: 'A port of the node itself: only one pod of a node can have it.',
  unschedulable: 'Cordoned: no new pods, except those that tolerate it.',
  allocatable: 'What pods may request in sum. The scheduler fills nodes up to this.',
  capacity: 'What the machine has. The scheduler looks at allocatable.',
  images: 'Images that the node has already. ImageLocality gives points for them.',
  minAvailable: 'How many pods must stay when pods are evicted. Preemption avoids breaking it if it can.',
  maxUnavailable: 'How many pods may be missing when pods are evicted.',
  percentageOfNodesToScore: 'In clusters of 100 nodes and more: after how many feasible nodes the search may stop. 0: by cluster size.',
  podInitialBackoffSeconds: 'How long a pod backs off after its first failed attempt. It doubles each time.',
  podMaxBackoffSeconds: 'The longest backoff.',
  profiles: 'Schedulers in one: pods choose theirs by schedulerName.',
  plugins: 'Which plugins run at which extension point.',
  multiPoint: 'Plugins for every extension point that they have.',
  pluginConfig: 'Arguments of plugins.',
  scoringStrategy: 'How NodeResourcesFit gives points: to empty nodes, to full ones, or along a curve.',
  hardPodAffinityWeight: 'Points for a node that suits the required affinity of pods that run there.',
  addedAffinity: 'A node affinity for every pod of this profile.',
  defaultConstraints: 'Spread constraints for pods that have none.',
  volumeBindingMode: 'WaitForFirstConsumer leaves the choice of the volume to the scheduler.',
  globalDefault: 'Pods without a priorityClassName get this class.',
  seconds: 'How far the clock moves; timers fire on the way.',
  op: 'What happens in this step.',
};

export function docOf(field: string): string {
  return Object.hasOwn(DOCS, field) ? (DOCS[field] ?? '') : '';
}

export const SKELETONS: Record<string, string> = {
  Pod: 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web-1\nspec:\n  containers:\n  - name: main\n    image: registry.example/app:1\n    resources:\n      requests:\n        cpu: 500m\n        memory: 256Mi\n',
  Node: 'apiVersion: v1\nkind: Node\nmetadata:\n  name: node-1\n  labels:\n    kubernetes.io/hostname: node-1\n    topology.kubernetes.io/zone: a\nstatus:\n  allocatable:\n    cpu: "4"\n    memory: 8Gi\n    pods: "110"\n',
  PriorityClass: 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata:\n  name: high\nvalue: 1000\n',
  KubeSchedulerConfiguration:
    'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n- schedulerName: default-scheduler\n  plugins:\n    multiPoint:\n      enabled:\n      - name: NodeResourcesFit\n        weight: 2\n',
  NodePool:
    'apiVersion: podberth/v1\nkind: NodePool\nmetadata:\n  name: pool\nspec:\n  count: 5\n  zones: [a, b]\n  template:\n    status:\n      allocatable:\n        cpu: "4"\n        memory: 8Gi\n        pods: "110"\n',
  Timeline: 'apiVersion: podberth/v1\nkind: Timeline\nsteps:\n- op: settle\n',
};
