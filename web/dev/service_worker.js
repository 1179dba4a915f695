// Podberth offline. Files under assets/ have their content's hash in their names and never change: they come from the
// cache. Pages come from the network, and from the cache only where there is none, so that nobody is left with an old
// build. What somebody writes in the page is never in a request, and so never in here.

const CACHE = `podberth-${'VERSION'}`;
const FILES = ['FILES'];
const PAGES = ['index.html', 'embed.html', 'icon.svg'];
const scope = new URL('./', self.location.href);

self.addEventListener('install', (event) => {
  // Past the browser's own cache for the pages: they have the same names in every build.
  const requests = [...FILES.map((name) => new URL(name, scope).href), ...PAGES.map((name) => new Request(new URL(name, scope), { cache: 'reload' }))];
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

self.addEventListener('activate', (event) => {
  // This runs when no page of the build before is open any more.
  const old = (name) => name.startsWith('podberth-') && name !== CACHE;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))));
});

async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const name = new URL(request.url).pathname.slice(scope.pathname.length);
    const found = await caches.match(new URL(name || 'index.html', scope).href, { ignoreSearch: true });
    if (found) return found;
    throw error;
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  const name = url.pathname.slice(scope.pathname.length);
  if (name.startsWith('assets/')) event.respondWith(caches.match(request, { ignoreSearch: true }).then((found) => found ?? fetch(request)));
  else if (request.mode === 'navigate' || PAGES.includes(name)) event.respondWith(page(request));
});
