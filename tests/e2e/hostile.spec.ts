import { expect, test } from '@playwright/test';
import { button, editor, FAKE, open, paste, position, region, scrubber, settled, step, toEnd } from './page';

test.skip(FAKE, 'recorded runs do not follow the text');

const pod = (name: string, more = '') => `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec:\n${more}  containers: [{name: main, image: app, resources: {requests: {cpu: 1500m}}}]\n`;
const node = 'apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: "2", memory: 8Gi, pods: "110"}}\n';

test('one press of Step already shows the new pod, before any queue has it', async ({ page }) => {
  await open(page);
  await step(page);
  await expect(region(page, 'API server').getByRole('button', { name: 'Pod web' })).toBeVisible();
  await step(page);
  await expect(region(page, 'API server').getByRole('button', { name: /^Pod / })).toHaveCount(0);
  await expect(region(page, 'activeQ').getByRole('button', { name: /Pod web/ })).toBeVisible();
});

test('a pod for a scheduler that nobody runs is told of', async ({ page }) => {
  await open(page);
  await paste(page, 'Pods', pod('lost', '  schedulerName: my-scheduler\n'));
  await expect(page.getByText('A pod is about to be created')).toBeVisible();
  await toEnd(page);
  await expect(region(page, 'API server')).toContainText('no profile is called “my-scheduler”');
  await region(page, 'API server').getByRole('button', { name: 'Pod lost' }).click();
  await expect(region(page, 'Inspector')).toContainText('No profile answers to the scheduler “my-scheduler”');
});

test('a nominated pod is marked on its node', async ({ page }) => {
  await open(page);
  await paste(page, 'Cluster', `${node}---\n${pod('low', '  nodeName: n1\n')}status: {phase: Running}\n`);
  await paste(page, 'Pods', pod('high', '  priority: 100\n'));
  await expect(page.getByText('A pod is about to be created')).toBeVisible();
  for (let i = 0; i < 12 && !(await region(page, 'Nodes').innerText()).includes('nominated: high'); i++) await step(page);
  await expect(region(page, 'Nodes')).toContainText('nominated: high');
});

test('an edit at the end leaves the position and the time that was let pass', async ({ page }) => {
  await open(page, '#example=why-pending');
  await toEnd(page);
  await button(page, 'Let time pass').click();
  await expect(button(page, 'Take it back')).toBeVisible();
  const before = await position(page);
  await editor(page, 'Pods').focus();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.insertText('# a remark\n');
  await settled(page);
  expect(await position(page)).toBe(before);
  await expect(scrubber(page)).toHaveAttribute('max', String(before));
  await button(page, 'Take it back').click();
  await expect(button(page, 'Take it back')).toHaveCount(0);
  expect(await position(page)).toBeLessThan(before);
});

for (const [what, text, words] of [
  ['60,000 keys', Array.from({ length: 60_000 }, (_, i) => `k${i}: v`).join('\n'), 'kind is missing'],
  ['a bomb of aliases', `a: &a [x]\n${Array.from({ length: 12 }, (_, i) => `k${i}: &b${i} [${Array(9).fill(i ? `*b${i - 1}` : '*a').join(',')}]`).join('\n')}\n`, 'too much text'],
  ['3,000 levels', `${Array.from({ length: 3000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')} 1\n`, 'nested more than'],
] as const) {
  test(`${what} are refused at the place, and the last good run stays`, async ({ page }) => {
    test.slow(); // reading that much takes its time on a busy machine
    await open(page);
    await toEnd(page);
    await expect(region(page, 'Nodes')).toContainText('Pod web');
    await paste(page, 'Pods', text);
    await expect(page.getByRole('button', { name: new RegExp(`line \\d+: .*${words}`) })).toBeVisible({ timeout: 40_000 });
    await expect(page.getByText('This is the last good run')).toBeVisible();
    await expect(region(page, 'Nodes')).toContainText('Pod web');
    await button(page, 'Back').click();
    await expect(button(page, 'Step')).toBeEnabled();
  });
}
