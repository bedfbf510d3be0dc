import type { Environment } from "@caliban/common";
import type { Workspace } from "@caliban/memory/node";
import type { SearchSource } from "@caliban/memory/search";

export interface SessionsSourceInput {
  /** Where the sessions of the project are kept. */
  readonly directory: string;
  /** Whose sessions are looked through besides. */
  readonly others: OtherSessionsInput;
  /** Where the generations of what was learned are; left out where nothing of it is used. */
  readonly learned?: string | undefined;
  /** The session that is running. */
  readonly exceptSession?: (() => string | undefined) | undefined;
}

export interface OtherSessionsInput {
  readonly sources: readonly ("caliban" | "claude" | "codex")[];
  readonly env: Environment;
  readonly home: string | undefined;
  readonly workspace: Workspace;
}

/** Past sessions of a project, by what was said in them. */
export function sessionsSource(_input: SessionsSourceInput): SearchSource {
  return {
    name: "sessions",
    list: async () => [],
    read: async () => undefined,
    show: async () => undefined,
  };
}
