import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type FrameLocator, type Page, test } from '@playwright/test';
import { FAKE } from './page';

// The page around comes from a server of its own under another name of this machine: another origin.
let server: Server;
let body = '';

test.beforeAll(async () => {
  server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
test.afterAll(() => new Promise((resolve) => server.close(resolve)));

async function host(page: Page, html: string): Promise<void> {
  body = `<!doctype html><title>host</title>${html}`;
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}
const heard = (page: Page) => page.evaluate(() => (window as unknown as { heard: { type: string; step?: number }[] }).heard);
const LISTEN = '<script>window.heard = []; addEventListener("message", (e) => heard.push(e.data));</script>';
const frameOf = (page: Page): FrameLocator => page.frameLocator('iframe');
const at = (frame: FrameLocator) => frame.getByRole('slider', { name: 'Position' });

test('works in a frame of another origin and listens to it', async ({ page, baseURL }) => {
  await host(page, `${LISTEN}<iframe src="${baseURL}embed.html#example=first-binding&step=2" width="900" height="700"></iframe>`);
  const frame = frameOf(page);
  await expect(at(frame)).toHaveValue('2');
  await frame.getByRole('button', { name: 'Step', exact: true }).click();
  await expect(at(frame)).toHaveValue('3');
  await page.evaluate(() => document.querySelector('iframe')?.contentWindow?.postMessage({ podberth: 1, type: 'set', step: 1 }, '*'));
  await expect(at(frame)).toHaveValue('1');
  const messages = await heard(page);
  expect(messages.map((message) => message.type)).toEqual(expect.arrayContaining(['ready', 'height', 'step']));
  expect(messages.filter((message) => message.type === 'step').at(-1)).toMatchObject({ podberth: 1, step: 1 });
});

test('works in a sandboxed frame, which has no origin and no storage', async ({ page, baseURL }) => {
  await host(page, `${LISTEN}<iframe sandbox="allow-scripts" src="${baseURL}embed.html#example=first-binding" width="900" height="700"></iframe>`);
  const frame = frameOf(page);
  await expect(at(frame)).toBeEnabled();
  await frame.getByRole('button', { name: 'Step', exact: true }).click();
  await expect(at(frame)).toHaveValue('1');
});

test('ignores messages that are none of its own', async ({ page, baseURL }) => {
  await host(page, `<iframe src="${baseURL}embed.html#example=first-binding&step=2" width="900" height="700"></iframe>`);
  await expect(at(frameOf(page))).toHaveValue('2');
  await page.evaluate(() => {
    const target = document.querySelector('iframe')?.contentWindow;
    for (const data of ['step', { type: 'step' }, { podberth: 2, type: 'step' }, { podberth: 1, type: 'set', step: 'x' }, null]) target?.postMessage(data, '*');
  });
  // Messages come in order: once this one is heard, those before it had their chance.
  await page.evaluate(() => document.querySelector('iframe')?.contentWindow?.postMessage({ podberth: 1, type: 'step' }, '*'));
  await expect(at(frameOf(page))).not.toHaveValue('2');
  await expect(at(frameOf(page))).toHaveValue('3');
});

test('the element wraps the frame, grows with it and tells what happens', async ({ page, baseURL }) => {
  await host(
    page,
    `<script type="module" src="${baseURL}podberth-demo.js"></script>
     <podberth-demo example="first-binding" theme="dark" view="board"></podberth-demo>
     <script>window.heard = []; document.querySelector('podberth-demo').addEventListener('podberth-step', (e) => heard.push({type: 'step', ...e.detail}));</script>`,
  );
  await expect(at(frameOf(page))).toBeEnabled();
  await page.evaluate(() => (document.querySelector('podberth-demo') as unknown as { step(): void }).step());
  await expect(at(frameOf(page))).toHaveValue('1');
  await expect.poll(async () => (await heard(page)).at(-1)?.step).toBe(1);
  await expect(frameOf(page).locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await page.locator('iframe').evaluate((frame) => frame.clientHeight)).not.toBe(640);
});

test('the element takes YAML that stands inside it', async ({ page, baseURL }) => {
  await host(
    page,
    `<script type="module" src="${baseURL}podberth-demo.js"></script>
     <podberth-demo><script type="application/yaml">
apiVersion: v1
kind: Node
metadata: {name: lonely}
status: {allocatable: {cpu: "1", memory: 1Gi, pods: "10"}}
</script></podberth-demo>`,
  );
  await expect(frameOf(page).getByRole('region', { name: 'Nodes' })).toContainText('lonely');
});

test('"Open in Podberth" carries the edits', async ({ page, context }) => {
  await page.goto('embed.html#example=first-binding');
  await expect(page.getByRole('slider', { name: 'Position' })).toBeEnabled();
  await page.getByRole('button', { name: 'Edit YAML' }).click();
  await page.getByRole('textbox', { name: 'Pods' }).focus();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.insertText('# edited here\n');
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Open in Podberth' }).click();
  const full = await opened;
  await expect(full.getByRole('textbox', { name: 'Pods' })).toContainText('# edited here');
});

test('an embedded board can be acted on, too', async ({ page }) => {
  test.skip(FAKE, 'recorded runs cannot be forked');
  await page.goto('embed.html#example=first-binding');
  await expect(page.getByRole('slider', { name: 'Position' })).toBeEnabled();
  await page.getByRole('button', { name: /^node-2/ }).first().click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Cordon this node' }).click();
  await expect(page.getByText('cordoned')).toBeVisible();
  await page.getByRole('button', { name: /^Add a pod/ }).click();
  await page.getByRole('button', { name: 'Add it' }).click();
  await expect(page.getByRole('button', { name: 'Undo the last' })).toBeVisible();
});
