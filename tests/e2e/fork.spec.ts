import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { button, FAKE, open, position, region, scrubber, stepUntil, toEnd } from './page';

test.skip(FAKE, 'recorded runs cannot be forked');

test('a pod is added in the middle, the run goes on from there, and there is a way back', async ({ page }) => {
  await open(page);
  await stepUntil(page, region(page, 'Scheduling cycle'), 'Pod web');
  const at = await position(page);
  await button(page, 'Add a pod here').click();
  const form = page.getByRole('form', { name: `Add a pod at step ${at}` });
  await form.getByRole('combobox', { name: 'Like' }).selectOption({ label: 'web' });
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('web-2');
  await form.getByRole('textbox', { name: 'CPU' }).fill('100m');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await form.getByRole('button', { name: 'Add it' }).click();
  await expect(page.getByText(`Forked at step ${at}.`)).toBeVisible();
  await expect(page.getByText('Pod web-2 is created').first()).toBeVisible();
  await toEnd(page);
  await expect(region(page, 'Nodes').getByRole('button', { name: 'Pod web-2' })).toBeVisible();
  await expect(region(page, 'Nodes').getByRole('button', { name: 'Pod web', exact: true })).toBeVisible();
  await button(page, 'Back to the scenario as written').click();
  await expect(scrubber(page)).toHaveValue(String(at));
  await toEnd(page);
  await expect(region(page, 'Nodes').getByRole('button', { name: 'Pod web-2' })).toHaveCount(0);
});

test('what the API server has against a pod is said, and the run stays', async ({ page }) => {
  await open(page);
  await button(page, 'Add a pod here').click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Not_A_Name');
  await button(page, 'Add it').click();
  await expect(page.getByRole('alert')).toContainText('metadata.name');
  await expect(scrubber(page)).toHaveValue('0');
});

test('an object is changed in the middle', async ({ page }) => {
  await open(page, '#example=scheduling-gates');
  await stepUntil(page, region(page, 'unschedulable'), 'gated by');
  const pod = region(page, 'unschedulable').getByRole('button', { name: /^Pod / }).first();
  await pod.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Change this pod…' }).click();
  const text = page.getByRole('textbox', { name: /^YAML of / });
  await expect(text).toBeFocused();
  await text.fill((await text.inputValue()).replace(/ {2}schedulingGates:\n( {2}- .*\n)+/, ''));
  await button(page, 'Change it').click();
  await expect(page.getByText(/Forked at step/)).toBeVisible();
  await stepUntil(page, region(page, 'activeQ'), 'priority');
});

test('the menu of a node is there for the mouse and for the keyboard', async ({ page }) => {
  await open(page);
  const nodes = region(page, 'Nodes');
  await nodes.getByRole('button', { name: /^node-2/ }).first().click({ button: 'right' });
  const menu = page.getByRole('menu', { name: 'What to do with node-2' });
  await expect(menu.getByRole('menuitem', { name: 'Cordon this node' })).toBeFocused();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  const title = nodes.getByRole('button', { name: /^node-2/ }).first();
  await title.focus();
  await page.keyboard.press('Shift+F10');
  if (!(await menu.count())) await title.dispatchEvent('contextmenu'); // not every browser makes one of this key when it is driven
  await page.keyboard.press('Enter');
  await expect(nodes.getByText('cordoned')).toBeVisible();
  await toEnd(page);
  await expect(nodes.getByRole('listitem').filter({ hasText: 'node-2' }).getByRole('button', { name: 'Pod web' })).toHaveCount(0);
});

test('a taint and a deletion, from the Inspector too; a link carries the fork', async ({ page, context }) => {
  await open(page);
  await toEnd(page);
  await region(page, 'Nodes').getByRole('button', { name: /Pod web/ }).click();
  await region(page, 'Inspector').getByRole('button', { name: 'change it now…' }).click();
  await page.getByRole('menuitem', { name: 'Delete this pod' }).click();
  await expect(page.getByText('Pod web is deleted').first()).toBeVisible();
  await region(page, 'Nodes').getByRole('button', { name: /^node-3/ }).first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Taint this node…' }).click();
  await page.getByRole('textbox', { name: 'Taint' }).fill('a=b:NoSchedule');
  await page.keyboard.press('Enter');
  await expect(region(page, 'Nodes').getByText('a=b:NoSchedule')).toBeVisible();
  const at = await position(page);
  await button(page, 'Share').click();
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  const other = await context.newPage();
  await other.goto(link);
  await expect(scrubber(other)).toHaveValue(String(at));
  await expect(other.getByText(/Forked at step \d+, then \d+\./)).toBeVisible();
  await expect(region(other, 'Nodes').getByText('a=b:NoSchedule')).toBeVisible();
  await expect(region(other, 'Nodes').getByRole('button', { name: /Pod web/ })).toHaveCount(0);
});

test('the editor completes fields and values', async ({ page }) => {
  await open(page);
  const pods = page.getByRole('textbox', { name: 'Pods' });
  await pods.focus();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('\n---\napiVersion: v1\nkind: Pod\nspec:\n  ');
  await page.keyboard.type('topo');
  const list = page.getByRole('listbox');
  // What is wrong so far is told below the editor; the line that is being written stays in sight, and the list with it.
  await expect(page.locator('.first')).toBeVisible();
  await expect(list).toBeInViewport();
  // Enter right after the list has appeared would still be taken as a new line.
  await list.getByRole('option', { name: /topologySpreadConstraints/ }).click();
  await expect(pods).toContainText('topologySpreadConstraints:');
  await expect(list.getByRole('option', { name: /whenUnsatisfiable/ })).toBeVisible();
});
