import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";
import { openTopicsToWrite, PERSON } from "./open-topics.ts";
import { topicNotFound } from "./topic-not-found.ts";

/** `caliban memory rm SLUG`: asks, and can be undone unless it is purged. */
export async function removeTopic(invocation: Invocation): Promise<CommandResult> {
  const { json, options } = invocation;
  const [name = ""] = invocation.operands;
  const isPurged = options["purge"] === true;
  const { store, warnings } = await openTopicsToWrite(invocation);
  const found = await store.read(name);
  if (found === undefined && !(isPurged && (await store.log(name)).length > 0)) {
    return await topicNotFound(invocation, name, store);
  }
  const slug = terminalSafeLine(found?.slug ?? name);
  if (!(await isMeant(invocation, slug, isPurged))) {
    return { stdout: "", stderr: `caliban: ${slug} stays\n`, exitCode: EXIT.failed };
  }
  const removed = found === undefined ? undefined : await store.remove({ name, author: PERSON });
  const erased = isPurged ? await store.erase(found?.slug ?? name) : undefined;
  const change = removed?.kind === "removed" ? removed.change : undefined;
  const how =
    erased === undefined
      ? `\`caliban memory undo ${change}\` brings it back`
      : `${erased} changes of it were erased for good`;
  return {
    stdout: json
      ? `${terminalSafeJson({ kind: "removed", slug: found?.slug ?? name, change, erased })}\n`
      : `removed ${slug}; ${how}\n`,
    stderr: warnings,
    exitCode: EXIT.done,
  };
}

async function isMeant(
  { host, options }: Invocation,
  slug: string,
  isPurged: boolean,
): Promise<boolean> {
  if (options["force"] === true) return true;
  if (!host.isInteractive)
    throw new UsageError(`rm asks before it removes, and nobody can answer here; add --force`);
  return await host.confirm(
    isPurged ? `Remove ${slug} for good, with its history?` : `Remove ${slug}?`,
  );
}
