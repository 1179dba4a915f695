// A scenario in the canonical form that the core and the reference scheduler read.

export const EDITORS = ['cluster', 'pods', 'scheduler'] as const;
export type EditorName = (typeof EDITORS)[number];
export type Texts = Record<EditorName, string>;

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface Scenario {
  name: string;
  release: string;
  featureGates?: JsonObject;
  controllers?: boolean;
  config?: JsonObject;
  extenders?: JsonObject[];
  samplePlugins?: boolean;
  objects: JsonObject[];
  steps: JsonObject[];
}

// A place in the text of an editor, in UTF-16 units.
export interface Place {
  editor: EditorName;
  from: number;
  to: number;
}

export interface TextIssue extends Place {
  severity: 'error' | 'warning' | 'info';
  message: string;
}

export const LIMITS = {
  textBytes: 8_000_000,
  depth: 100,
  aliasVisits: 100_000,
  issues: 100,
};
