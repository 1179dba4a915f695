import { defineConfig } from '@playwright/test';

// The built page, as it is published. PODBERTH_FAKE=1 tests the build with recorded runs instead (see vite.config.ts).
const fake = Boolean(process.env.PODBERTH_FAKE);
const port = Number(process.env.PODBERTH_E2E_PORT ?? 4173);
// How many times longer to wait for everything, where the machine has much else to do.
const patience = Number(process.env.PODBERTH_PATIENCE ?? 1);

export default defineConfig({
  testDir: '../tests/e2e',
  outputDir: '../test-results',
  fullyParallel: true,
  workers: 2,
  // On a busy machine a browser can stall; a test that needs its second try is reported as flaky.
  retries: process.env.CI ? 1 : 0,
  timeout: 45_000 * patience,
  expect: { timeout: 10_000 * patience },
  reporter: process.env.CI ? 'github' : 'list',
  use: {
    baseURL: `http://localhost:${port}/`,
    viewport: { width: 1440, height: 900 },
    serviceWorkers: 'block', // each test would fill a cache of its own
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.PODBERTH_CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: `npx vite preview --host 0.0.0.0 --port ${port} --strictPort --outDir ${fake ? 'dist-fake' : 'dist'}`,
    port,
    reuseExistingServer: false,
  },
});
