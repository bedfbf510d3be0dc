import { parsePositiveInteger, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { ageInWords, DEFAULT_SEARCH_LIMIT, searchTopics as search } from "@caliban/memory";
import { type CommandResult, type Invocation, textOption } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";
import { openTopics } from "./open-topics.ts";

/** `caliban memory search WORDS`: what the agent would find. */
export async function searchTopics(invocation: Invocation): Promise<CommandResult> {
  const { store, warnings } = await openTopics(invocation);
  const query = invocation.operands.join(" ");
  const hits = await search(store, { query, limit: limitOf(invocation) });
  const nowMs = invocation.host.now();
  const lines = hits.map(
    ({ slug, type, updatedMs, description, snippet }) =>
      `  ${terminalSafeLine(slug)} (${type ?? "untyped"}, ${ageInWords(updatedMs, nowMs)}): ${terminalSafeLine(description)}\n    ${terminalSafeLine(snippet)}\n`,
  );
  const isFound = hits.length > 0;
  return {
    stdout: invocation.json ? `${terminalSafeJson({ query, hits })}\n` : lines.join(""),
    stderr:
      warnings +
      (isFound
        ? ""
        : `caliban: nothing was found for ${terminalSafeLine(JSON.stringify(query))}\n`),
    exitCode: isFound ? EXIT.done : EXIT.nothingFound,
  };
}

function limitOf(invocation: Invocation): number {
  const text = textOption(invocation, "limit");
  const limit = text === undefined ? DEFAULT_SEARCH_LIMIT : parsePositiveInteger(text);
  if (limit !== undefined) return limit;
  throw new UsageError(`--limit must be a whole number above 0, not ${JSON.stringify(text)}`);
}
