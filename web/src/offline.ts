// Lets the page work without a network from the second visit on (dev/service_worker.js). It waits until the page stands:
// its downloads are not to compete with those that the first screen needs.

export function workOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !window.isSecureContext) return;
  const register = () => void navigator.serviceWorker.register(new URL('sw.js', document.baseURI), { scope: './' }).catch(() => undefined);
  const later = () => ('requestIdleCallback' in window ? window.requestIdleCallback(register, { timeout: 8000 }) : setTimeout(register, 3000));
  if (document.readyState === 'complete') later();
  else window.addEventListener('load', later, { once: true });
}
