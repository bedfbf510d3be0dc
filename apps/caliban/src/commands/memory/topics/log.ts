import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { type Change, undoneIds } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import type { Host } from "../../../host.ts";
import { renderNamedRows } from "../../render-rows.ts";
import { openTopics, recordExternalChanges } from "./open-topics.ts";
import { formatNames } from "./topic-output.ts";

/** `caliban memory log [SLUG]`: the changes, newest first. `--json` also has the texts. */
export async function showLog(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const [name] = invocation.operands;
  const topics = await openTopics(invocation);
  const { store, warnings } = topics;
  await recordExternalChanges(invocation, topics);
  const changes = await store.log(name);
  const json = invocation.json ? `${terminalSafeJson({ changes })}\n` : undefined;
  if (changes.length === 0) {
    const about = name === undefined ? "" : ` to ${name}`;
    const stderr = [...warnings, `no changes${about} recorded`];
    return { stdout: json ?? "", stderr, exitCode: EXIT.nothingFound };
  }
  return { stdout: json ?? renderLog(changes, host), stderr: warnings, exitCode: EXIT.done };
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
  { id, at, who, session, action, of, files, isErased }: Change,
  isUndone: boolean,
): readonly string[] {
  const author = AUTHORS[who];
  const by = session === undefined ? author : `${author} (${session})`;
  const names = formatNames(files.map(({ slug }) => slug));
  const notes = [
    ...(of === undefined ? [] : [`of ${of}`]),
    ...(isUndone ? ["undone"] : []),
    ...(isErased === true ? ["erased"] : []),
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
