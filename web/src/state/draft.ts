// The user's own work survives a reload. Storage may be forbidden (a sandboxed frame, private windows): then it is not kept.

import { readForks, type Shared } from '../share/link';

const KEY = 'podberth.draft.1';
const THEME = 'podberth.theme';

function storage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

export function saveDraft(state: Shared): void {
  try {
    storage()?.setItem(KEY, JSON.stringify(state));
  } catch {
    // Full: the draft is too large to keep.
  }
}

export function loadDraft(): Shared | null {
  try {
    const value = JSON.parse(storage()?.getItem(KEY) ?? 'null') as Shared | null;
    if (!value || typeof value.title !== 'string') return null;
    const { cluster, pods, scheduler } = value.texts;
    if (typeof cluster !== 'string' || typeof pods !== 'string' || typeof scheduler !== 'string') return null;
    const draft: Shared = { title: value.title, texts: { cluster, pods, scheduler }, later: Array.isArray(value.later) ? value.later : [] };
    const forks = readForks(value.forks);
    if (forks.length > 0) draft.forks = forks;
    if (typeof value.release === 'string' && value.release) draft.release = value.release;
    return draft;
  } catch {
    return null;
  }
}

export type Theme = 'system' | 'light' | 'dark';

export function loadTheme(): Theme {
  try {
    const value = storage()?.getItem(THEME);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system';
  }
}

export function saveTheme(theme: Theme): void {
  try {
    storage()?.setItem(THEME, theme);
  } catch {
    // Then only for now.
  }
}
