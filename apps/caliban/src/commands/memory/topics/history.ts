import { terminalSafeLine } from "@caliban/common";
import { type Change, undoneIds } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import type { Host } from "../../../host.ts";
import { UsageError } from "../../../usage-error.ts";
import { renderNamedRows } from "../../render-rows.ts";
import { output } from "../output.ts";
import { findChange } from "./diff.ts";
import { findTopicName } from "./find-topic-name.ts";
import {
  isUserScope,
  type OpenTopics,
  openTopics,
  openTopicsForWriting,
  recordExternalChanges,
  USER,
} from "./open-topics.ts";

/** `caliban memory log [SLUG]`: the changes, newest first. `--json` also has the texts. */
export async function showLog(invocation: Invocation): Promise<CommandResult> {
  const [typed] = invocation.operands;
  const topics = await openTopics(invocation);
  const { warnings } = topics;
  await recordExternalChanges(invocation, topics);
  const { name, changes } = await changesOf(invocation, topics, typed);
  const about = name === undefined ? "" : ` to ${name}`;
  const isEmpty = changes.length === 0;
  return output(invocation, {
    data: { changes },
    text: renderLog(changes, invocation.host),
    stderr: isEmpty ? [...warnings, `no changes${about} recorded`] : warnings,
    exitCode: isEmpty ? EXIT.nothingFound : EXIT.done,
  });
}

/** The changes of a topic, which may be gone, or of the one that a part of a name means. */
async function changesOf(
  invocation: Invocation,
  topics: OpenTopics,
  typed: string | undefined,
): Promise<{ readonly name: string | undefined; readonly changes: readonly Change[] }> {
  const changes = await topics.store.log(typed);
  if (typed === undefined || changes.length > 0) return { name: typed, changes };
  const name = await findTopicName(invocation, topics, typed);
  return { name, changes: name === typed ? changes : await topics.store.log(name) };
}

/** One line per change. Below an import, where each text came from. */
function renderLog(changes: readonly Change[], host: Host): string {
  const undone = undoneIds(changes.toReversed());
  const rows = renderNamedRows(
    changes.map((change) => changeRow(change, undone.has(change.id))),
    host,
  );
  return changes.map((change, index) => `${rows[index]}${renderOrigins(change)}`).join("");
}

function changeRow(
  { id, at, who, session, origin, action, of, moved, files, isErased }: Change,
  isUndone: boolean,
): readonly string[] {
  const author = AUTHORS[who];
  const by = session === undefined ? author : `${author} (${session})`;
  const names = formatNames(files.map(({ slug }) => slug));
  const notes = [
    ...(of === undefined ? [] : [`of ${of}`]),
    ...(moved === undefined ? [] : [`${action === "remove" ? "to" : "from"} ${moved}`]),
    ...(isUndone ? ["undone"] : []),
    ...(isErased === true ? ["erased"] : []),
    // What the user typed here is the user's own.
    ...(origin === undefined || (who === "person" && origin === "user")
      ? []
      : [`origin: ${origin}`]),
  ];
  const note = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
  const time = at.slice(0, 16).replace("T", " ");
  return [id, time, by, action, `${names}${note}`].map(terminalSafeLine);
}

/** As the user reads them. JSON output contains the stored names. */
const AUTHORS: Readonly<Record<Change["who"], string>> = {
  agent: "agent",
  person: "you",
  other: "external",
};

const MAX_ORIGINS = 10;

function renderOrigins({ files }: Change): string {
  const origins = files.flatMap(({ slug, from }) =>
    from === undefined ? [] : [{ slug, ...from }],
  );
  const lines = origins
    .slice(0, MAX_ORIGINS)
    .map(({ slug, agent, path, sha256 }) =>
      terminalSafeLine(`    ${slug} from ${agent}: ${path} (sha256 ${sha256.slice(0, 12)})`),
    );
  const more = origins.length - lines.length;
  return [...lines, ...(more > 0 ? [`    and ${more} more; see all with --json`] : [])]
    .map((line) => `${line}\n`)
    .join("");
}

/** `caliban memory undo [ID]`: restores what a change replaced, as a new change. `--generation` undoes learned memory. */
export async function undoChange(invocation: Invocation): Promise<CommandResult> {
  const { options } = invocation;
  const [id] = invocation.operands;
  if (options["generation"] === true) {
    if (isUserScope(invocation))
      throw new UsageError("--generation and --user cannot be used together");
    if (id !== undefined)
      throw new UsageError("--generation takes no id; it always goes back by one generation");
    const { undoGeneration } = await import("../learned/undo-generation.ts");
    return await undoGeneration(invocation);
  }
  const { store, warnings, userFlag } = await openTopicsForWriting(invocation);
  const typed = id === undefined ? undefined : findChange(await store.log(), id);
  const { undone, files, change } = await store.undo({
    id: typed?.id ?? id,
    force: options["force"] === true,
    allowSecrets: options["allowSecrets"] === true,
    author: USER,
  });
  const names = formatNames(
    files.map(
      ({ slug, after }) => `${terminalSafeLine(slug)}${after === null ? " (removed)" : ""}`,
    ),
  );
  return output(invocation, {
    data: { undone, files, change },
    text: `undid ${undone.action} ${undone.id}: ${names}. Redo with: ${invocation.host.command(`memory undo ${change}${userFlag}`)}\n`,
    stderr: warnings,
  });
}

const MAX_NAMES = 10;

/** The first few names: one change can affect hundreds of topics. */
function formatNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const first = names.slice(0, MAX_NAMES).join(", ");
  return more > 0 ? `${first} and ${more} more` : first;
}
