import type { Environment } from "@caliban/common";
import type { SessionSource } from "../../transcript/session-source.ts";
import { calibanSource } from "./caliban-source.ts";
import { claudeSource } from "./claude-source.ts";
import { codexSource } from "./codex-source.ts";

export interface SessionSourcesInput {
  /** Whose sessions the user allows to read. */
  readonly sources: readonly ("caliban" | "claude" | "codex")[];
  /** The directory of caliban's own sessions of the project. */
  readonly sessionsDirectory: string;
  /** Sessions of other agents are below it; `undefined` when it is not known. */
  readonly home: string | undefined;
  readonly env: Environment;
  readonly workspaceRoot: string;
}

/** The sources of past sessions that the user chose. */
export function createSessionSources({
  sources,
  sessionsDirectory,
  home,
  env,
  workspaceRoot,
}: SessionSourcesInput): readonly SessionSource[] {
  const chosen = new Set(sources);
  const own = chosen.has("caliban") ? [calibanSource({ directory: sessionsDirectory })] : [];
  if (home === undefined) return own;
  const other = { home, env, workspaceRoot };
  return [
    ...own,
    ...(chosen.has("claude") ? [claudeSource(other)] : []),
    ...(chosen.has("codex") ? [codexSource(other)] : []),
  ];
}
