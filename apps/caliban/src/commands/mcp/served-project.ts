import {
  type PermissionPolicy,
  parsePermissionRule,
  type PolicyRule,
  type Tool,
} from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import type { TopicStore } from "@caliban/memory";
import { renderProblem } from "@caliban/settings";
import { createSecretMask } from "@caliban/tools-builtin/node";
import { explainPrefix, createMemoryUrls, type ResolvedAddress } from "../../conversation/access/memory-urls.ts";

import { loadPolicy } from "../../conversation/access/policy.ts";
import type { Invocation } from "../../command.ts";
import { openProject, type Project } from "../../project/project.ts";
import { autoMemoryOffReason } from "../../project/auto-memory-off.ts";
import { keyValues } from "@caliban/providers";
import { createPathRedactor } from "../../../../../packages/mcp/src/serve/hide-paths.ts";
import { flagSlips, openServedNotes } from "./served-topics.ts";

/** One project, with all that a client gets of it. */
export interface ServedProject {
  readonly session: Project;
  /** What turned the notes off in this run; `undefined` where they are kept. */
  readonly offBy: string | undefined;
  /** The notes; `undefined` where they are turned off. */
  readonly notes: Pick<TopicStore, "list"> | undefined;
  readonly policy: PermissionPolicy;
  /** The tools that a client is offered. */
  readonly tools: readonly Tool[];
  /** Those besides that a rule denies whole: a call of one is refused for what it is. */
  readonly withheld: readonly Tool[];
  /** Finds the text behind a `memory://` address. @throws ProtocolError for a topic that a rule denies */
  readonly resolve: (url: string) => Promise<ResolvedAddress>;
  /** Directories whose changes change what is served. */
  readonly watched: readonly string[];
  /** Whether there may be something at `memory://root`. */
  readonly hasLearned: boolean;
  /** Takes the person's keys out of a text. */
  readonly mask: (text: string) => string;
  /** Takes paths of the disk out of a text. */
  readonly hidePlaces: (text: string) => string;
  /** What is to be said about settings and rules, one a line. */
  readonly warnings: readonly string[];
}

/**
 * Opens the memory of the invocation's directory. Nothing is made on the disk before something is written.
 * @throws UsageError, SettingsError or MemoryError for what a person can mend
 */
export async function openServedProject(
  invocation: Invocation,
  isReadOnly: boolean,
): Promise<ServedProject> {
  const { host } = invocation;
  const session = await openProject(invocation);
  const { workspace, settings } = session;
  const { policy: own, warnings } = await loadPolicy(session);
  const policy = isReadOnly ? { ...own, deny: [...READ_ONLY_RULES, ...own.deny] } : own;
  const prefix = async (): Promise<string> =>
    explainPrefix(await session.memory(), host);
  const said = [
    ...settings.warnings.map((problem) => terminalSafeLine(renderProblem(problem))),
    ...warnings,
    ...flagSlips(own),
  ];
  const offBy = autoMemoryOffReason(session);
  const mask = createSecretMask(keyValues(settings.values.providers, host.env));
  const common = { session, offBy, policy, mask, warnings: said };
  if (offBy !== undefined) {
    return {
      ...common,
      notes: undefined,
      tools: [],
      withheld: [],
      resolve: createMemoryUrls({ topics: undefined, learned: undefined, prefix }),
      watched: [],
      hasLearned: false,
      hidePlaces: createPathRedactor([
        { name: "workspace", path: workspace.root },
        { name: "home", path: host.home },
      ]),
    };
  }
  const { urls, ...notes } = await openServedNotes({ project: session, policy, isReadOnly });
  return { ...common, ...notes, resolve: createMemoryUrls({ ...urls, prefix }) };
}

const READ_ONLY_RULES: readonly PolicyRule[] = ["memory.write", "memory.delete"].flatMap((text) => {
  const parsed = parsePermissionRule(text);
  return "rule" in parsed ? [{ ...parsed.rule, source: "--read-only" }] : [];
});
