import { expect, test } from '@playwright/test';
import { open, scrubber, step } from './page';

test.use({ serviceWorkers: 'allow' });

test('works without a network once it was open, and keeps nothing of what was written', async ({ page, context }) => {
  test.slow();
  await open(page, '#example=why-pending');
  await page.evaluate(() => navigator.serviceWorker.ready.then((registration) => registration.active?.state));
  await expect.poll(() => page.evaluate(async () => (await (await caches.open((await caches.keys())[0] ?? '')).keys()).some(({ url }) => url.endsWith('.wasm')))).toBe(true);
  await context.setOffline(true);
  await page.reload();
  await expect(scrubber(page)).toBeEnabled();
  await step(page, 2);
  await expect(page.getByRole('textbox', { name: 'Pods' })).toContainText('kind: Pod');
  const cached = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)));
    return { names, urls: requests.flat() };
  });
  expect(cached.names).toHaveLength(1);
  for (const url of cached.urls) expect(url).toMatch(/\/(assets\/[\w.-]+|index\.html|embed\.html|icon\.svg)$/);
});

test('a new build is taken as soon as there is one', async ({ page }) => {
  test.slow();
  await open(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await expect(scrubber(page)).toBeEnabled();
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  // The page comes from the network although it is in the cache: a server that answers otherwise is heard.
  await page.route('**/index.html', (route) => route.fulfill({ contentType: 'text/html', body: '<title>another build</title>' }));
  await page.context().route('**/index.html', (route) => route.fulfill({ contentType: 'text/html', body: '<title>another build</title>' }));
  await page.reload();
  await expect(page).toHaveTitle('another build');
});
