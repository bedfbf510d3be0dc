import { terminalSafeLine } from "@caliban/common";
import { type CopiedMemory, copyMemory as copy, type CopyTarget } from "@caliban/memory/exchange";
import { openTopicStore } from "@caliban/memory/node";
import { type CommandResult, type Invocation, textOption } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { requireAutoMemory } from "../../../project/auto-memory-off.ts";
import { openPostgresBackend } from "../../../project/postgres-topics.ts";
import { openProject, type Project } from "../../../project/project.ts";
import { UsageError } from "../../../usage-error.ts";
import { formatCount } from "../../format-count.ts";
import { settingsWarnings } from "../../warnings.ts";
import { output } from "../output.ts";

/** `caliban memory copy --to postgres|files`: copies topics and history, whichever store the settings select. */
export async function copyMemory(invocation: Invocation): Promise<CommandResult> {
  const to = parseTarget(invocation);
  const project = await openProject(invocation);
  requireAutoMemory(project);
  const { stores, problems } = await openStores(project);
  const from = to === "files" ? "postgres" : "files";
  const copied = await copy({ from: stores[from], to: stores[to] });
  const unreadable = from === "files" ? await problems() : [];
  const warnings = settingsWarnings(invocation.host, project.settings.warnings);
  return output(invocation, {
    data: { from, to, ...copied, unreadable },
    text: renderCopied(copied, to),
    stderr: [...warnings, ...unreadable, ...copied.kept.map((topic) => formatKept(topic, to))],
    exitCode: isComplete(copied) && unreadable.length === 0 ? EXIT.done : EXIT.failed,
  });
}

type StoreName = Project["settings"]["trusted"]["memory.store"];

/** @throws UsageError */
function parseTarget(invocation: Invocation): StoreName {
  const to = textOption(invocation, "to");
  if (to === "postgres" || to === "files") return to;
  throw new UsageError(
    to === undefined
      ? "--to is required: postgres or files"
      : `--to must be postgres or files, not ${JSON.stringify(to)}`,
  );
}

interface OpenStores {
  readonly stores: Readonly<Record<StoreName, CopyTarget>>;
  /** About files that cannot be read, and are therefore not copied. */
  readonly problems: () => Promise<readonly string[]>;
}

async function openStores(project: Project): Promise<OpenStores> {
  const { environment, workspace, settings } = project;
  const directory = settings.values["memory.directory"];
  const opened = await openTopicStore({ ...environment, workspace, directory, forWriting: true });
  const { backend } = await openPostgresBackend(project);
  return {
    stores: { files: await opened.openFiles(), postgres: backend },
    problems: async () => (await opened.store.list()).problems.map(({ message }) => message),
  };
}

/** A topic that is newer in the target is as intended. */
function isComplete({ kept }: CopiedMemory): boolean {
  return kept.every(({ reason }) => reason === "newer");
}

const NAMES: Readonly<Record<StoreName, string>> = { files: "files", postgres: "PostgreSQL" };

function renderCopied(
  { copied, removed, unchanged, history }: CopiedMemory,
  to: StoreName,
): string {
  const parts = [
    `${formatCount(copied.length, "topic")} and ${formatCount(history.copied, "change")} copied to ${NAMES[to]}`,
    ...(removed.length === 0 ? [] : [`${formatCount(removed.length, "topic")} removed`]),
    `${formatCount(unchanged, "topic")} unchanged`,
    ...(history.leftOut === 0 ? [] : [`${formatCount(history.leftOut, "change")} left out`]),
  ];
  return `${parts.join(", ")}\n`;
}

function formatKept({ name, reason }: CopiedMemory["kept"][number], to: StoreName): string {
  const reasons = {
    newer: "it is newer there",
    different: "both were changed. Merge them by hand, then copy again",
    unreadable: "it cannot be read there",
  } as const;
  return `${terminalSafeLine(name)} was not copied to ${NAMES[to]}: ${reasons[reason]}`;
}
