// What the tests do to the page, in words.
import { expect, type Locator, type Page } from '@playwright/test';

export const FAKE = Boolean(process.env.PODBERTH_FAKE);

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
export const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
export const editor = (page: Page, name: string): Locator => page.getByRole('textbox', { name, exact: true });
export const scrubber = (page: Page): Locator => page.getByRole('slider', { name: 'Position' });

// Opens the page and waits until the simulator stands at its step.
export async function open(page: Page, fragment = '', path = 'index.html'): Promise<void> {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(path + fragment);
  await expect(scrubber(page)).toBeEnabled();
  expect(errors).toEqual([]);
}

export async function position(page: Page): Promise<number> {
  return Number(await scrubber(page).inputValue());
}

// Goes to the end and waits until the page stands there.
export async function toEnd(page: Page): Promise<void> {
  await button(page, 'To end').click();
  await expect(button(page, 'Step')).toBeDisabled();
}

export async function step(page: Page, times = 1): Promise<void> {
  for (let i = 0; i < times; i++) {
    const before = await position(page);
    await button(page, 'Step').click();
    await expect(scrubber(page)).toHaveValue(String(before + 1));
  }
}

// Steps until a region shows a text.
export async function stepUntil(page: Page, where: Locator, text: string | RegExp): Promise<void> {
  for (let i = 0; i < 120; i++) {
    if (await where.filter({ hasText: text }).count()) return;
    await step(page);
  }
  throw new Error(`no step shows ${String(text)}`);
}

// Everything in an editor, also what is scrolled out of sight.
export async function replaceText(page: Page, name: string, text: string): Promise<void> {
  await editor(page, name).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

// As a paste, which is how large texts come; typing them would measure the browser.
export async function paste(page: Page, name: string, text: string): Promise<void> {
  await editor(page, name).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await editor(page, name).evaluate((element, pasted) => {
    const data = new DataTransfer();
    data.setData('text/plain', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}

// After an edit, until its run is shown.
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('.board')).toHaveAttribute('aria-busy', 'false');
}

// Until what was written is kept for the next visit.
export async function draftHolds(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => Object.values(localStorage).join())).toContain(text);
}
