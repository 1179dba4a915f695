import { mount } from 'svelte';
import './app.css';
import Embed from './embed/Embed.svelte';
import { MESSAGE_VERSION, type Outgoing, readMessage } from './embed/messages';
import { makeEngine } from './engine/make';
import { Store } from './state/store.svelte';

const store = new Store(makeEngine(), false);
const parameters = new URLSearchParams(location.hash.slice(1));
const view = parameters.get('view') === 'board' ? 'board' : 'full';
const asked = parameters.get('theme');
let theme: 'light' | 'dark' | 'system' = asked === 'dark' || asked === 'light' ? asked : 'system';

// What is said is only what the page around already knows or has asked for, so any origin may hear it.
function post(message: Outgoing): void {
  if (window.parent !== window) window.parent.postMessage({ podberth: MESSAGE_VERSION, ...message }, '*');
}

const systemDark = window.matchMedia('(prefers-color-scheme: dark)');
function applyTheme(): void {
  const dark = theme === 'dark' || (theme === 'system' && systemDark.matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}
applyTheme();
systemDark.addEventListener('change', applyTheme);

window.addEventListener('message', (event) => {
  if (event.source !== window.parent) return;
  const message = readMessage(event.data);
  if (!message) return;
  if (message.type !== 'set') {
    if (message.type === 'play') store.player.play();
    else if (message.type === 'pause') store.player.pause();
    else void store.player[message.type]();
    return;
  }
  if (message.theme) {
    theme = message.theme;
    applyTheme();
  }
  if (message.texts) void store.openState({ title: message.title ?? '', texts: message.texts, later: [] }, message.step ?? 0);
  else if (message.example) void store.openLesson(message.example).then(() => store.run.goto(message.step ?? 0));
  else if (message.step !== undefined) void store.run.goto(message.step);
});

mount(Embed, { target: document.getElementById('app') as HTMLElement, props: { store, view, post } });
void store.start(location.hash).then(() => {
  if (store.phase === 'failed') post({ type: 'error', message: store.run.issues[0]?.message ?? '' });
  else post({ type: 'ready', release: store.release });
});
new ResizeObserver(() => post({ type: 'height', height: Math.ceil(document.body.scrollHeight) })).observe(document.body);
