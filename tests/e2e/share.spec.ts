import { expect, test } from '@playwright/test';
import { button, draftHolds, editor, open, position, region, scrubber, step } from './page';

test('a link opens the same text at the same step', async ({ page, context }) => {
  await open(page, '#example=taints-and-tolerations');
  await step(page, 4);
  const pods = await editor(page, 'Pods').innerText();
  await button(page, 'Share').click();
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  expect(link).toBe(page.url());
  expect(link).toContain('#s=1k.');
  const other = await context.newPage();
  await other.goto(link);
  await expect(scrubber(other)).toHaveValue('4');
  expect(await editor(other, 'Pods').innerText()).toBe(pods);
});

test('a link to an example opens it', async ({ page }) => {
  await open(page, '#example=priority-order&step=3');
  await expect(scrubber(page)).toHaveValue('3');
  await expect(page.getByRole('heading', { name: 'Who is next?' })).toBeVisible();
});

for (const [what, fragment, words] of [
  ['broken', '#s=1k.AAAAAAAA', 'damaged'],
  ['newer', '#s=9k.AAAAAAAA', 'newer Podberth'],
] as const) {
  test(`a ${what} link says so and keeps the draft`, async ({ page }) => {
    await open(page);
    await editor(page, 'Pods').focus();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.insertText('# my draft\n');
    await draftHolds(page, '# my draft');
    await page.goto('about:blank');
    await page.goto(`index.html${fragment}`);
    await expect(page.getByText(words)).toBeVisible();
    await expect(editor(page, 'Pods')).toContainText('# my draft');
  });
}

test('opening a link does not lose the draft', async ({ page }) => {
  await open(page);
  await editor(page, 'Pods').focus();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.insertText('# my draft\n');
  await draftHolds(page, '# my draft');
  await page.goto('about:blank');
  await page.goto('index.html#example=why-pending');
  await expect(editor(page, 'Pods')).not.toContainText('# my draft');
  await button(page, 'Resume your draft').click();
  await expect(editor(page, 'Pods')).toContainText('# my draft');
});

test('the address does not change while nobody shares', async ({ page }) => {
  await open(page);
  const before = page.url();
  await step(page, 3);
  expect(page.url()).toBe(before);
  expect(await position(page)).toBe(3);
  await expect(region(page, 'Nodes')).toBeVisible();
});
