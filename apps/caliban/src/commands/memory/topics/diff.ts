import { terminalSafeLine } from "@caliban/common";
import type { Change } from "@caliban/memory";
import { createStyle, type Style } from "../../../cli/style.ts";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { UsageError } from "../../../usage-error.ts";
import { renderTextDiff } from "../../render-text-diff.ts";
import { output } from "../output.ts";
import { onlyMatch } from "./find-topic-name.ts";
import { openTopics, recordExternalChanges } from "./open-topics.ts";

/** `caliban memory diff [ID]`: the lines that a change removed and added, as a unified diff. */
export async function showChange(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const [id] = invocation.operands;
  const topics = await openTopics(invocation);
  const { store, warnings, userFlag } = topics;
  await recordExternalChanges(invocation, topics);
  const change = findChange(await store.log(), id);
  if (change === undefined) {
    const log = host.command(`memory log${userFlag}`);
    const problem = id === undefined ? "no changes recorded" : `no change ${JSON.stringify(id)}`;
    return output(invocation, {
      data: { found: false, id },
      text: "",
      stderr: [...warnings, id === undefined ? problem : `${problem}. List all with: ${log}`],
      exitCode: EXIT.nothingFound,
    });
  }
  const erased = `the texts of change ${change.id} were erased, so there is nothing to compare`;
  return output(invocation, {
    data: { change },
    text: renderChange(change, createStyle(host.hasColor("stdout"))),
    stderr: change.isErased === true ? [...warnings, erased] : warnings,
  });
}

/**
 * The newest change without an id, otherwise the one whose id this is, or the only one whose id contains it.
 * @throws UsageError for a part of several ids
 */
export function findChange(changes: readonly Change[], id?: string): Change | undefined {
  if (id === undefined) return changes[0];
  if (id === "") throw new UsageError("the id is empty; leave it out for the last change");
  const ids = changes.map((change) => change.id);
  const only = onlyMatch(id, ids, "changes");
  return changes.find((change) => change.id === only);
}

function renderChange({ files }: Change, style: Style): string {
  return files
    .map(({ slug, before, after }) =>
      renderTextDiff({ name: terminalSafeLine(`${slug}.md`), before, after }, style),
    )
    .join("");
}
