import type { SessionSource } from "@caliban/autonomous-memory";
import { calibanSource, claudeSource, codexSource } from "@caliban/autonomous-memory/node";
import type { PipelineJob } from "./pipeline-job.ts";
import type { LearnedLocation } from "../project/locations.ts";

/** The readers of the sessions that the person chose; other agents' are found below the home directory. */
export function sessionSources(
  { sources, home, env, workspace }: Pick<PipelineJob, "sources" | "home" | "env" | "workspace">,
  { sessionsDirectory }: Pick<LearnedLocation, "sessionsDirectory">,
): readonly SessionSource[] {
  const chosen = new Set(sources);
  const own = chosen.has("caliban") ? [calibanSource({ directory: sessionsDirectory })] : [];
  if (home === undefined) return own;
  const other = { home, env, workspaceRoot: workspace.root };
  return [
    ...own,
    ...(chosen.has("claude") ? [claudeSource(other)] : []),
    ...(chosen.has("codex") ? [codexSource(other)] : []),
  ];
}
