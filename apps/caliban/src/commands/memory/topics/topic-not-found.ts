import { nearest, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import type { TopicStore } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";

/** The answer to a name that no topic has, with the one that was likely meant. */
export async function topicNotFound(
  { json }: Invocation,
  name: string,
  store: TopicStore,
): Promise<CommandResult> {
  const { topics } = await store.list();
  const meant = nearest(
    name,
    topics.map(({ slug }) => slug),
  );
  const hint =
    meant === undefined
      ? " `caliban memory list` shows them all."
      : ` Did you mean ${terminalSafeLine(meant)}?`;
  return {
    stdout: json ? `${terminalSafeJson({ found: false, name, nearest: meant })}\n` : "",
    stderr: `caliban: there is no topic ${terminalSafeLine(JSON.stringify(name))}.${hint}\n`,
    exitCode: EXIT.nothingFound,
  };
}
