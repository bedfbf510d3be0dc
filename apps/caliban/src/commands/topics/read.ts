import { terminalSafe, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { explainedPrefix } from "../../agent/explained-prefix.ts";
import { createLearnedReader } from "../../agent/learned-reader.ts";
import { createMemoryUrls } from "../../agent/memory-urls.ts";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { openTopics } from "./open-topics.ts";

/** `caliban memory read URL`: what the agent reads at an address of memory. */
export async function readMemoryUrl(invocation: Invocation): Promise<CommandResult> {
  const [url = ""] = invocation.operands;
  const { host, json } = invocation;
  const { store, places, project, warnings } = await openTopics(invocation);
  const resolve = createMemoryUrls({
    store,
    learned: createLearnedReader(project.settings.values, places.projectHome),
    prefix: async () => explainedPrefix(await project.memory(), host),
  });
  const resolved = await resolve(url);
  if ("problem" in resolved) {
    const stderr = `${warnings}caliban: ${terminalSafeLine(resolved.problem)}\n`;
    return { stdout: "", stderr, exitCode: EXIT.nothingFound };
  }
  const { text } = resolved;
  const stdout = json ? `${terminalSafeJson({ url, text })}\n` : terminalSafe(text);
  return { stdout, stderr: warnings, exitCode: EXIT.done };
}
