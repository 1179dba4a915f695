// A cluster of one's own: pasted as kubectl prints it, to the answer why a pod is pending.
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { button, editor, FAKE, open, paste, region, scrubber, settled, toEnd } from './page';

test.skip(FAKE, 'recorded runs do not follow the text');

const META = (name: string, more = '') => `  metadata:
    annotations: {kubectl.kubernetes.io/restartedAt: "2026-11-20T09:59:58Z"}
    creationTimestamp: "2026-11-20T10:00:00Z"
    managedFields:
    - {apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:metadata": {"f:labels": {}}}, manager: kubelet, operation: Update}
    name: ${name}
    resourceVersion: "4711"
    uid: 5b1f0000-0000-4000-8000-${name.length.toString().padStart(12, '0')}
${more}`;
const node = (i: number) => `- apiVersion: v1
  kind: Node
${META(`ip-10-0-${i}-17.eu-central-1.compute.internal`, `    labels: {kubernetes.io/hostname: ip-10-0-${i}-17, topology.kubernetes.io/zone: eu-central-1${'abc'[i % 3]}}\n`).replace(/uid: .*/, `uid: node-${i}`)}  spec:
    podCIDR: 10.244.${i}.0/24
    providerID: aws:///i-${i}
  status:
    addresses: [{address: 10.0.${i}.17, type: InternalIP}]
    allocatable: {attachable-volumes-aws-ebs: "25", cpu: 7910m, hugepages-2Mi: "0", memory: 31482092Ki, pods: "58"}
    conditions: [{status: "True", type: Ready, reason: KubeletReady, message: ok}]
    nodeInfo: {architecture: amd64, kubeletVersion: v1.37.2}
`;
const pod = (name: string, cpu: string, where: string) => `- apiVersion: v1
  kind: Pod
${META(name, '    namespace: shop\n    ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-6d4cf56db6, uid: aaaa, controller: true}]\n').replace(/uid: 5b.*/, `uid: pod-${name}`)}  spec:
    containers: [{name: main, image: ghcr.io/acme/web:1, resources: {requests: {cpu: ${cpu}, memory: 1Gi}}, terminationMessagePolicy: File}]
${where ? `    nodeName: ${where}\n` : ''}    serviceAccountName: default
    tolerations: [{effect: NoExecute, key: node.kubernetes.io/not-ready, operator: Exists, tolerationSeconds: 300}]
  status: {phase: ${where ? 'Running' : 'Pending'}, qosClass: Burstable}
`;
const LIST = `apiVersion: v1\nitems:\n${[0, 1, 2, 3, 4].map(node).join('')}${pod('web-6d4cf56db6-aaaaa', '500m', 'ip-10-0-0-17.eu-central-1.compute.internal')}${pod('training-6d4cf56db6-bbbbb', '12', '')}kind: List\nmetadata:\n  resourceVersion: ""\n`;

async function whyPending(page: Page): Promise<void> {
  await expect(region(page, 'Nodes')).toContainText('ip-10-0-0-17');
  await toEnd(page);
  await region(page, 'unschedulable').getByRole('button', { name: /training/ }).click();
  await expect(region(page, 'Inspector')).toContainText('0/5 nodes are available: 5 Insufficient cpu');
}

test('an empty start says what to paste, and what kubectl prints answers why a pod is pending', async ({ page }) => {
  await open(page);
  await page.getByRole('combobox', { name: 'Example' }).selectOption({ label: 'Your own cluster…' });
  await expect(page.getByText('Paste your cluster into the Cluster editor')).toBeVisible();
  await expect(editor(page, 'Cluster')).toBeFocused();
  await expect(editor(page, 'Cluster')).toContainText('kubectl get nodes,pods -A -o yaml');
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([]);
  await paste(page, 'Cluster', LIST);
  await settled(page);
  await expect(page.getByText('A pod is about to be created')).toBeVisible();
  await expect(page.locator('.first')).toHaveCount(0); // nothing to complain about
  await whyPending(page);
  // Nothing of a long name of a resource lies over something else.
  await expect(region(page, 'Nodes')).not.toContainText('attachable');
});

test('a cluster that is pasted over a lesson takes the place of its pods, and says so', async ({ page }) => {
  await open(page);
  await paste(page, 'Cluster', LIST);
  await expect(page.getByText('The lesson’s own pods were taken out')).toBeVisible();
  await settled(page);
  await whyPending(page);
  await expect(editor(page, 'Pods')).not.toContainText('kind: Pod');
});

test('a change of the lesson’s own cluster leaves its pods alone', async ({ page }) => {
  await open(page);
  await paste(page, 'Cluster', 'apiVersion: v1\nkind: Node\nmetadata:\n  name: mine\nstatus: {allocatable: {cpu: "2", memory: 8Gi, pods: "110"}}\n');
  await settled(page);
  await expect(editor(page, 'Pods')).toContainText('name: web');
});

test('a text that takes long to read can be stopped, and the run before is still there', async ({ page }) => {
  await open(page);
  await toEnd(page);
  const many = Array.from({ length: 9000 }, (_, i) => `apiVersion: v1\nkind: Pod\nmetadata: {name: w${i}}\nspec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}\n`).join('---\n');
  await paste(page, 'Pods', many);
  await button(page, 'Stop').click();
  await expect(page.getByText('This is the last good run')).toBeVisible({ timeout: 40_000 });
  await expect(region(page, 'Nodes')).toContainText('Pod web');
  await button(page, 'Back').click();
  await expect(button(page, 'Step')).toBeEnabled();
});

test('what is pressed while a text is read counts for the new run', async ({ page }) => {
  await open(page);
  await paste(page, 'Cluster', LIST);
  await button(page, 'To end').click();
  await settled(page);
  await expect(region(page, 'unschedulable')).toContainText('training');
  await expect(button(page, 'Step')).toBeDisabled();
});

test('help says what this is and closes with Escape', async ({ page }) => {
  await open(page);
  await button(page, 'Help').click();
  const help = page.getByRole('dialog', { name: 'The Kubernetes scheduler, step by step' });
  await expect(help).toContainText('kubectl get nodes,pods');
  await expect(help.getByRole('heading').first()).toBeFocused();
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await expect(button(page, 'Help')).toBeFocused();
  await expect(scrubber(page)).toHaveValue('0');
});

test('names in any script, long ones and markup are shown as text and break nothing', async ({ page }) => {
  await open(page);
  const long = `n${'x'.repeat(60)}.${'y'.repeat(60)}.example`;
  const taints = Array.from({ length: 50 }, (_, i) => `{key: example.com/taint-${i}, value: "v${i}", effect: NoSchedule}`).join(', ');
  await paste(page, 'Cluster', `apiVersion: v1\nkind: Node\nmetadata:\n  name: ${long}\n  labels: {"topology.kubernetes.io/zone": "<img src=x onerror=alert(1)>", owner: "ענן 🌩"}\nspec: {taints: [${taints}]}\nstatus: {allocatable: {cpu: "4", memory: 8Gi, pods: "110", "example.com/a-very-long-name-of-a-device-that-nobody-can-read": "3"}}\n`);
  await paste(page, 'Pods', 'apiVersion: v1\nkind: Pod\nmetadata: {name: "<b>x</b>", __proto__: {a: 1}}\nspec: {containers: [{name: c, image: i}]}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: שלום}\nspec: {containers: [{name: c, image: i}]}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: fine}\nspec: {containers: [{name: c, image: i}]}\n');
  await settled(page);
  await toEnd(page);
  expect(await page.locator('img:not(.cm-widgetBuffer)').count()).toBe(0);
  expect(await page.locator('main b').count()).toBe(0);
  // Nothing reaches out of its card.
  const outside = await page.evaluate(() =>
    [...document.querySelectorAll('.card')].flatMap((card) => {
      const box = card.getBoundingClientRect();
      return [...card.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().right > box.right + 1 && !one.classList.contains('sr')).map((one) => one.className);
    }),
  );
  expect(outside).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1440);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });
  test('what is to be shown in YAML opens the editors, and a long refusal leaves room for them', async ({ page }) => {
    await open(page, '#example=why-pending');
    await toEnd(page);
    await page.getByRole('tab', { name: 'Inspector' }).click();
    await button(page, 'show in YAML').click();
    await expect(page.getByRole('tab', { name: 'Editor' })).toHaveAttribute('aria-selected', 'true');
    await expect(editor(page, 'Pods')).toBeFocused();
    // Only once: who leaves the editors is not brought back.
    await page.getByRole('tab', { name: 'Board' }).click();
    await expect(region(page, 'Nodes')).toBeVisible();
    await page.getByRole('tab', { name: 'Editor' }).click();
    const bad = Array.from({ length: 12 }, (_, i) => `nobody.example/${'x'.repeat(40)}${i}: "-1"`).join(', ');
    await paste(page, 'Pods', `apiVersion: v1\nkind: Pod\nmetadata: {name: big}\nspec: {containers: [{name: c, image: i, resources: {requests: {${bad}}}}]}\n`);
    await expect(page.locator('.first')).toContainText('nobody.example');
    await page.evaluate(() => window.scrollTo(0, 0));
    const height = await page.locator('.top').evaluate((top) => top.getBoundingClientRect().height);
    expect(height).toBeLessThanOrEqual(844 * 0.61);
  });
});
