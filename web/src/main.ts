import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { makeEngine } from './engine/make';
import { workOffline } from './offline';
import { Store } from './state/store.svelte';

const store = new Store(makeEngine(), true, makeEngine);
void store.start(location.hash);
mount(App, { target: document.getElementById('app') as HTMLElement, props: { store } });
workOffline();
