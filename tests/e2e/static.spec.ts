import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { button, FAKE, scrubber } from './page';

// The folder as a plain file server would publish it: below a path, with a strict policy, and nothing but files.
const BASE = '/some/where/podberth/';
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; connect-src 'self'; worker-src 'self'; img-src 'self' data:";
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml' };

let server: Server;
const strange: string[] = [];

test.beforeAll(async () => {
  const dist = join(test.info().config.rootDir, '../../web', FAKE ? 'dist-fake' : 'dist');
  const files = new Set(readdirSync(dist, { recursive: true }).map(String));
  server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '').replace(/[?#].*$/, ''));
    const name = path.startsWith(BASE) ? path.slice(BASE.length) : '';
    if (!files.has(name)) {
      strange.push(path);
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream', 'content-security-policy': POLICY });
    response.end(readFileSync(join(dist, name)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
test.afterAll(() => new Promise((resolve) => server.close(resolve)));

for (const name of ['index.html', 'embed.html']) {
  test(`${name} works below a path, from files alone and under a strict policy`, async ({ page }) => {
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const elsewhere: string[] = [];
    page.on('request', (request) => !request.url().startsWith(origin + BASE) && !/^(data|blob):/.test(request.url()) && elsewhere.push(request.url()));
    await page.goto(`${origin}${BASE}${name}#example=first-binding`);
    await expect(scrubber(page)).toBeEnabled();
    await button(page, 'Step').click();
    await expect(scrubber(page)).toHaveValue('1');
    expect(complaints).toEqual([]);
    expect(strange).toEqual([]);
    expect(elsewhere).toEqual([]);
  });
}
