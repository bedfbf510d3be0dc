import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { type Change, undoneIds } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { renderRows } from "./list.ts";
import { noticeOthers } from "./notice-others.ts";
import { openTopics } from "./open-topics.ts";
import { someNames } from "./some-names.ts";

/** `caliban memory log [SLUG]`: newest first; with --json the texts as well. */
export async function showLog(invocation: Invocation): Promise<CommandResult> {
  const [name] = invocation.operands;
  const topics = await openTopics(invocation);
  const { store, warnings } = topics;
  await noticeOthers(invocation, topics);
  const changes = await store.log(name);
  const json = invocation.json ? `${terminalSafeJson({ changes })}\n` : undefined;
  const undone = undoneIds(changes.toReversed());
  const about = name === undefined ? "" : ` of ${terminalSafeLine(name)}`;
  if (changes.length === 0) {
    return {
      stdout: json ?? "",
      stderr: `${warnings}caliban: no change${about} is recorded\n`,
      exitCode: EXIT.nothingFound,
    };
  }
  return {
    stdout: json ?? renderLog(changes, undone),
    stderr: warnings,
    exitCode: EXIT.done,
  };
}

/** One line a change; below one that took texts over, where each came from. */
function renderLog(changes: readonly Change[], undone: ReadonlySet<string>): string {
  const lines = renderRows(changes.map((change) => rowOf(change, undone.has(change.id)))).split(
    "\n",
  );
  return changes.map((change, at) => `${lines[at]}\n${origins(change)}`).join("");
}

const MOST_ORIGINS = 10;

function origins({ files }: Change): string {
  const known = files.flatMap(({ slug, from }) => (from === undefined ? [] : [{ slug, ...from }]));
  const shown = known
    .slice(0, MOST_ORIGINS)
    .map(({ slug, agent, path, sha256 }) =>
      terminalSafeLine(`    ${slug} from ${agent}: ${path} (sha256 ${sha256.slice(0, 12)})`),
    );
  const more = known.length - shown.length;
  return [...shown, ...(more > 0 ? [`    and ${more} more; --json has them all`] : [])]
    .map((line) => `${line}\n`)
    .join("");
}

function rowOf(
  { id, at, who, session, action, of, files, isErased }: Change,
  isUndone: boolean,
): readonly string[] {
  const by = session === undefined ? who : `${who} (${session})`;
  const names = someNames(files.map(({ slug }) => slug));
  const notes = [
    ...(of === undefined ? [] : [`of ${of}`]),
    ...(isUndone ? ["undone"] : []),
    ...(isErased === true ? ["erased"] : []),
  ];
  const note = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
  const time = at.slice(0, 16).replace("T", " ");
  return [id, time, by, action, `${names}${note}`].map(terminalSafeLine);
}
