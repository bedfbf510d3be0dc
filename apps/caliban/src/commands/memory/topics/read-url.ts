import { terminalSafe, terminalSafeLine } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import {
  createLearnedReader,
  createMemoryUrls,
  explainPrefix,
} from "../../../conversation/access/memory-urls.ts";
import { EXIT } from "../../../exit-code.ts";
import { output } from "../output.ts";
import { openTopics } from "./open-topics.ts";

/** `caliban memory read URL`: what the agent gets for a `memory://` address. */
export async function readMemoryUrl(invocation: Invocation): Promise<CommandResult> {
  const [url = ""] = invocation.operands;
  const { store, locations, project, warnings } = await openTopics(invocation);
  const resolve = createMemoryUrls({
    topics: store,
    learned: createLearnedReader(project.settings.values, locations.projectHome),
    prefix: async () => explainPrefix(await project.memory(), invocation.host),
  });
  const resolved = await resolve(url);
  if ("problem" in resolved) {
    const stderr = `${warnings}caliban: ${terminalSafeLine(resolved.problem)}\n`;
    return { stdout: "", stderr, exitCode: EXIT.nothingFound };
  }
  const { text } = resolved;
  return output(invocation, { data: { url, text }, text: terminalSafe(text), stderr: warnings });
}
