import { type Machine, machine } from "../../../fake-host.ts";

export const MEMORY = ".local/share/caliban/projects/SLUG/memory";

export const DEPLOY = `---
name: deploy
description: "run migrations first"
metadata:
  node_type: memory
  type: project
  updated: 2026-11-14T12:00:00.000Z
---

First the migrations; see [[flags]].
`;

export const FLAGS = DEPLOY.replace("name: deploy", "name: flags").replace(
  "run migrations first",
  "where flags are",
);

/** A project with two topics written by hand. */
export async function withTopics(files: Readonly<Record<string, string>> = {}): Promise<Machine> {
  return await machine({
    [`${MEMORY}/deploy.md`]: DEPLOY,
    [`${MEMORY}/flags.md`]: FLAGS,
    ...files,
  });
}

/** A machine whose stdin has a text. */
export function typing(start: Machine, text: string): Machine {
  return start.with({ readInput: async () => text });
}

/** The arguments of `caliban memory write`. */
export const write = (name: string, ...more: readonly string[]): readonly string[] => [
  "memory",
  "write",
  name,
  "--type",
  "project",
  "--description",
  "what it is",
  ...more,
];
