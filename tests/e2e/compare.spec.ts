import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { button, FAKE, open, position, region, scrubber, step, toEnd } from './page';

test.skip(FAKE, 'recorded runs cannot be compared');

const summary = (page: Page) => page.locator('.summary');
const PART = 'The pod lands elsewhere; they part at the 1st attempt of web: node-2 (463 points) on the left';

// Both with the newest release, so that only the configuration differs.
async function sameRelease(page: Page): Promise<void> {
  await expect(summary(page)).not.toContainText('being computed');
  const release = page.getByRole('combobox', { name: 'Release on the right' });
  if (await release.count()) await release.selectOption({ index: 0 });
  await expect(summary(page)).toContainText('No difference: the pod takes the same way');
}
async function compare(page: Page): Promise<void> {
  await button(page, 'Compare').click();
  await sameRelease(page);
  await button(page, 'pack nodes full (MostAllocated)').click();
  await expect(summary(page)).toContainText(PART);
}

test('two configurations side by side, opened where they part', async ({ page }) => {
  await open(page);
  await step(page, 3);
  await compare(page);
  await expect(region(page, 'Inspector on the left')).toContainText('web goes to node-2.');
  await expect(region(page, 'Inspector on the right')).toContainText('web goes to node-1.');
  const pods = region(page, 'Where the pods land').getByRole('row', { name: /web/ });
  await expect(pods).toContainText('node-2');
  await expect(pods).toContainText('differs: ');
  await expect(region(page, 'How full the nodes are').getByRole('row', { name: /node-1/ })).toContainText('1 · 2');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await button(page, 'Both ends').click();
  await expect(button(page, 'Step on the right')).toBeDisabled();
  await pods.getByRole('button', { name: 'web' }).click();
  await expect(button(page, 'Step on the right')).toBeEnabled();
  await button(page, 'Back to one run').click();
  expect(await position(page)).toBe(3);
});

test('a link opens the comparison, and a weight on the right changes it', async ({ page, context }) => {
  await open(page);
  await compare(page);
  await button(page, 'Share').click();
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  const other = await context.newPage();
  await other.goto(link);
  await expect(summary(other)).toContainText('node-1 (371 points) on the right');
  await expect(other.getByRole('textbox', { name: 'Scheduler on the right' })).toContainText('MostAllocated');
  await other.getByRole('slider', { name: 'Weight of NodeResourcesFit' }).fill('0');
  await expect(summary(other)).toContainText('node-1 (300 points) on the right');
});

test('a configuration that no scheduler takes is refused in words, and the keyboard reaches everything', async ({ page }) => {
  await open(page);
  await button(page, 'Compare').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'One scenario, two schedulers' })).toBeFocused();
  await sameRelease(page);
  await page.getByRole('textbox', { name: 'Scheduler on the right' }).focus();
  await page.keyboard.insertText('apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n- plugins: {score: {enabled: [{name: Nope}]}}\n');
  await expect(region(page, 'Right scheduler')).toContainText('"Nope" does not exist');
  await expect(scrubber(page)).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, colorScheme: 'dark' });
  test('the comparison fits', async ({ page }) => {
    await open(page);
    await compare(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
});

test('a lesson about two releases compares them, and the page can run either', async ({ page }) => {
  await open(page, '#example=two-releases');
  await button(page, 'Compare with v1.24').click();
  await expect(summary(page)).toContainText('2 of 3 pods land elsewhere; they part at the 1st attempt of web: node-a (443 points) on the left, node-b (665 points) on the right');
  await expect(region(page, 'Right run')).toContainText('kube-scheduler v1.24.17');
  await button(page, 'Back to one run').click();
  await page.getByRole('combobox', { name: 'Release of kube-scheduler' }).selectOption({ label: 'kube-scheduler v1.24.17' });
  await toEnd(page);
  await expect(region(page, 'Nodes').getByRole('button', { name: 'Pod early' })).toBeVisible();
});
