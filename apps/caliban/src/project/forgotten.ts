import { existsSync } from "node:fs";
import { join } from "node:path";
import { userDirectories } from "@caliban/common";
import type { TopicStore } from "@caliban/memory";
import type { Forgotten, SpokenTurn } from "@caliban/memory/forgotten";
import { openProjectHome } from "@caliban/memory/node";
import { type LocationInput, sessionsDirectory } from "./locations.ts";

/** The file of tombstones, which most projects do not have. */
const FORGOTTEN_FILE = "forgotten.jsonl";

/** Whether anything was ever forgotten, by a look at two names: the code for tombstones is not loaded for that. */
export function hasForgotten(projectHome: string, input: LocationInput): boolean {
  return [projectHome, ...userForgotten(input)].some((directory) =>
    existsSync(join(directory, FORGOTTEN_FILE)),
  );
}

/** Opens what was forgotten in a project, and by the user everywhere. */
export async function openProjectForgotten(
  projectHome: string,
  input: LocationInput,
): Promise<Forgotten> {
  const { openForgotten } = await import("@caliban/memory/forgotten");
  return openForgotten(projectHome, {
    others: userForgotten(input),
    prepare: prepareHome(input),
  });
}

function prepareHome(input: LocationInput): () => Promise<void> {
  return async () => await (await openProjectHome({ ...input, forWriting: true }))?.prepare();
}

/** Opens what was forgotten in a project only, to list it or to let it be remembered again. */
export async function openOwnForgotten(
  projectHome: string,
  input: LocationInput,
): Promise<Forgotten> {
  const { openForgotten } = await import("@caliban/memory/forgotten");
  return openForgotten(projectHome, { prepare: prepareHome(input) });
}

/** The same if something was forgotten, otherwise nothing: for readers. */
export async function readProjectForgotten(
  projectHome: string,
  input: LocationInput,
): Promise<Forgotten | undefined> {
  if (!hasForgotten(projectHome, input)) return undefined;
  return await openProjectForgotten(projectHome, input);
}

function userForgotten(input: LocationInput): readonly string[] {
  const { data } = userDirectories(input);
  return data === undefined ? [] : [join(data, "user")];
}

/** Opens what was forgotten in memory about the user. `home` is the directory with that memory and its history. */
export async function openUserForgotten(home: string): Promise<Forgotten> {
  const { openForgotten } = await import("@caliban/memory/forgotten");
  return openForgotten(home);
}

interface ForgettingInput {
  readonly openTombstones: () => Promise<Forgotten>;
  /** The project with the sessions in which it was said. */
  readonly projectHome?: string | undefined;
}

/** A store that keeps what is removed from coming back. The code for that is loaded by the first change. */
export function forgettingStore<Store extends TopicStore>(
  store: Store,
  { openTombstones, projectHome }: ForgettingInput,
): Store {
  const turns = (sessions: readonly string[]): AsyncIterable<SpokenTurn> =>
    turnsOfSessions(projectHome && sessionsDirectory(projectHome), sessions);
  let opening: Promise<TopicStore> | undefined;
  const open = async (): Promise<TopicStore> => {
    const { withForgetting } = await import("@caliban/memory/forgotten");
    const forgotten = await openTombstones();
    return withForgetting<TopicStore>(store, forgotten, { turns });
  };
  const opened = (): Promise<TopicStore> => (opening ??= open());
  const changes: Pick<TopicStore, "write" | "edit" | "remove" | "undo" | "importTopics"> = {
    write: async (request) => await (await opened()).write(request),
    edit: async (request) => await (await opened()).edit(request),
    remove: async (request) => await (await opened()).remove(request),
    importTopics: async (request) => await (await opened()).importTopics(request),
    undo: async (request) => await (await opened()).undo(request),
  };
  return { ...store, ...changes };
}

/**
 * What was said in stored sessions. A session that is gone has nothing to say.
 * @yields one turn at a time
 */
async function* turnsOfSessions(
  directory: string | undefined,
  sessions: readonly string[],
): AsyncGenerator<SpokenTurn, void, undefined> {
  if (directory === undefined || sessions.length === 0) return;
  const { sessionFiles, streamTurns } = await import("@caliban/sessions/node");
  const wanted = new Set(sessions);
  for (const { id, path } of sessionFiles(directory)) {
    if (!wanted.has(id)) continue;
    for await (const turns of streamTurns({ path, format: "caliban" })) {
      for (const { byte, text } of turns) yield { session: id, byte, text };
    }
  }
}
