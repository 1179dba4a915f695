// The words that scenarios are made of, so that links stay short. Links in the world were made with exactly this text:
// it never changes. A better one gets a codec letter of its own.
export const DICTIONARY_K = `featureGates: apiVersion: podberth/v1
kind: Timeline
steps:
- op: settle
- op: step
- op: advance
  seconds: 10
- op: delete
  kind: Pod
  namespace: default
  name: 
- op: update
  object:
- op: create
  kind: Node
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 100
podInitialBackoffSeconds: 1
podMaxBackoffSeconds: 10
profiles:
- schedulerName: default-scheduler
  plugins:
    multiPoint:
      enabled:
      - name: NodeResourcesFit
        weight: 1
      - name: NodeResourcesBalancedAllocation
      - name: ImageLocality
      - name: InterPodAffinity
      - name: NodeAffinity
      - name: PodTopologySpread
      - name: TaintToleration
    score:
      disabled:
  pluginConfig:
  - name: NodeResourcesFit
    args:
      scoringStrategy:
        type: MostAllocated
        type: RequestedToCapacityRatio
        resources:
        - name: cpu
          weight: 1
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
value: 1000
globalDefault: false
preemptionPolicy: Never
apiVersion: v1
kind: Namespace
kind: PersistentVolumeClaim
accessModes: [ReadWriteOnce]
storageClassName:
apiVersion: storage.k8s.io/v1
kind: StorageClass
volumeBindingMode: WaitForFirstConsumer
apiVersion: policy/v1
kind: PodDisruptionBudget
minAvailable: 1
maxUnavailable: 1
kind: Node
metadata:
  name: node-1
  labels:
    kubernetes.io/hostname: node-1
    topology.kubernetes.io/zone: zone-a
    topology.kubernetes.io/region: 
    node.kubernetes.io/instance-type: 
    kubernetes.io/arch: amd64
    kubernetes.io/os: linux
spec:
  unschedulable: true
  taints:
  - key: dedicated
    value: gpu
    effect: NoSchedule
    effect: PreferNoSchedule
    effect: NoExecute
status:
  capacity:
    cpu: "8"
    memory: 32Gi
    pods: "110"
    ephemeral-storage: 100Gi
    nvidia.com/gpu: "1"
  allocatable:
    cpu: "4"
    memory: 16Gi
    memory: 8Gi
    pods: "110"
  conditions:
  - type: Ready
    status: "True"
  images:
  - names: [registry.example/app:1]
    sizeBytes: 500000000
---
apiVersion: v1
kind: Pod
metadata:
  name: web-1
  namespace: default
  labels:
    app: web
spec:
  schedulingGates:
  - name: 
  priorityClassName: 
  nodeName: node-1
  nodeSelector:
  tolerations:
  - key: dedicated
    operator: Equal
    operator: Exists
    value: 
    effect: NoSchedule
    tolerationSeconds: 300
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions:
          - key: topology.kubernetes.io/zone
            operator: In
            operator: NotIn
            values:
      preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        preference:
    podAntiAffinity:
    podAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - labelSelector:
          matchLabels:
            app: web
        topologyKey: kubernetes.io/hostname
        podAffinityTerm:
  topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: DoNotSchedule
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
  volumes:
  - name: data
    persistentVolumeClaim:
      claimName: 
  initContainers:
  containers:
  - name: main
    image: registry.example/app:1
    ports:
    - containerPort: 80
      hostPort: 8080
    resources:
      limits:
      requests:
        cpu: 500m
        cpu: "1"
        memory: 256Mi
        memory: 1Gi
---
{"t":"","c":"apiVersion: v1\\nkind: Node\\nmetadata:\\n  name: node-1\\n  labels:\\n    kubernetes.io/hostname: node-1\\nstatus:\\n  allocatable:\\n    cpu: \\"4\\"\\n    memory: 8Gi\\n    pods: \\"110\\"\\n---\\napiVersion: v1\\nkind: Node\\n","p":"apiVersion: v1\\nkind: Pod\\nmetadata:\\n  name: web-1\\n  labels:\\n    app: web\\nspec:\\n  containers:\\n  - name: main\\n    image: registry.example/app:1\\n    resources:\\n      requests:\\n        cpu: 500m\\n        memory: 256Mi\\n---\\napiVersion: v1\\nkind: Pod\\n","s":"`;
