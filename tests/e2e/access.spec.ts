import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { button, open, position, region, scrubber, step, toEnd } from './page';

async function audit(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 140)).join(' | ')}`)).toEqual([]);
}

for (const scheme of ['light', 'dark'] as const) {
  test.describe(scheme, () => {
    test.use({ colorScheme: scheme });
    test(`axe finds nothing at the start, in the middle, at the end (${scheme})`, async ({ page }) => {
      test.slow();
      await open(page, '#example=taints-and-tolerations');
      await audit(page);
      await step(page, 9);
      await audit(page);
      await toEnd(page);
      await region(page, 'Nodes').getByRole('button', { name: /Pod train/ }).click();
      await expect(region(page, 'Inspector').getByRole('table').first()).toBeVisible();
      await audit(page);
      await button(page, 'Share').click();
      await audit(page);
    });
    test(`axe finds nothing in what opens: a menu, a form, help, a comparison (${scheme})`, async ({ page }) => {
      test.slow();
      await open(page);
      await step(page, 6);
      await button(page, 'What to do with node-1').click();
      await audit(page);
      await page.keyboard.press('Escape');
      await button(page, 'Add a pod here').click();
      await audit(page);
      await button(page, 'Cancel').click();
      await button(page, 'Help').click();
      await audit(page);
      await page.keyboard.press('Escape');
      await button(page, 'Compare').click();
      await expect(page.locator('.summary')).not.toContainText('being computed');
      await audit(page);
    });
    test(`the theme follows the system and can be changed (${scheme})`, async ({ page }) => {
      await open(page);
      const html = page.locator('html');
      await expect(html).toHaveAttribute('data-theme', scheme);
      await button(page, scheme === 'dark' ? 'Light theme' : 'Dark theme').click();
      await expect(html).toHaveAttribute('data-theme', scheme === 'dark' ? 'light' : 'dark');
      await page.reload();
      await expect(html).toHaveAttribute('data-theme', scheme === 'dark' ? 'light' : 'dark');
    });
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });
  test('everything is reachable in tabs and nothing is wider than the screen', async ({ page }) => {
    test.slow();
    await open(page, '#example=why-pending');
    await toEnd(page);
    for (const tab of ['Board', 'Inspector', 'Editor', 'Lesson']) {
      await page.getByRole('tab', { name: tab }).click();
      await expect(button(page, 'Step')).toBeVisible();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, tab).toBeLessThanOrEqual(390);
      await audit(page);
    }
    await page.getByRole('tab', { name: 'Inspector' }).click();
    await expect(region(page, 'Inspector')).toContainText('Insufficient cpu');
    await page.getByRole('tab', { name: 'Editor' }).click();
    await expect(page.getByRole('textbox', { name: 'Cluster' })).toBeVisible();
  });
});

test.describe('with reduced motion', () => {
  test.use({ reducedMotion: 'reduce' } as object);
  test('nothing is animated', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page);
    for (let i = 0; i < 8; i++) {
      await button(page, 'Step').click();
      expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    }
  });
});

test('the whole story can be told with the keyboard alone', async ({ page }) => {
  await open(page);
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    if (await button(page, 'Step').evaluate((node) => node === document.activeElement)) break;
  }
  await expect(button(page, 'Step')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(scrubber(page)).toHaveValue('1');
  await page.keyboard.press('ArrowRight');
  await expect(scrubber(page)).toHaveValue('2');
  await page.keyboard.press('ArrowLeft');
  await expect(scrubber(page)).toHaveValue('1');
  await page.keyboard.press('End');
  await expect(button(page, 'Step')).toBeDisabled();
});

// A window at 200 % has half as many pixels of its own.
test.describe('at 200 %', () => {
  test.use({ viewport: { width: 640, height: 400 } });
  test('nothing is cut off, and what is said leaves room for the rest', async ({ page }) => {
    await open(page, '#example=why-pending');
    await toEnd(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640);
    const { height } = (await page.locator('.top').boundingBox()) ?? { height: 400 };
    expect(height).toBeLessThanOrEqual(241);
    await page.getByRole('tab', { name: 'Inspector' }).click();
    await expect(region(page, 'Inspector')).toContainText('Insufficient cpu');
  });
});

test('what was opened gives the focus back', async ({ page }) => {
  await open(page);
  for (const name of ['Help', 'Share']) {
    await button(page, name).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(button(page, name)).toBeFocused();
  }
});

test('the focus stays on a pod that moves', async ({ page }) => {
  await open(page);
  while (!(await region(page, 'activeQ').getByRole('button', { name: /Pod web/ }).count())) await step(page);
  await region(page, 'activeQ').getByRole('button', { name: /Pod web/ }).focus();
  const before = await position(page);
  await page.evaluate(() => {
    const slider = document.querySelector<HTMLInputElement>('input[aria-label=Position]');
    if (!slider) return;
    slider.value = slider.max;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await expect(scrubber(page)).not.toHaveValue(String(before));
  await expect(region(page, 'Nodes').getByRole('button', { name: /Pod web/ })).toBeFocused();
});
