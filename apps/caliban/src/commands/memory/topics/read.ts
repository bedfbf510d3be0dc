import { terminalSafe, terminalSafeJson } from "@caliban/common";
import type { CommandResult, Invocation } from "../../../command.ts";
import {
  createLearnedReader,
  createMemoryUrls,
  explainPrefix,
} from "../../../conversation/access/memory-urls.ts";
import { EXIT } from "../../../exit-code.ts";
import { openTopics } from "./open-topics.ts";

/** `caliban memory read URL`: what the agent gets for a `memory://` address. */
export async function readMemoryUrl(invocation: Invocation): Promise<CommandResult> {
  const [url = ""] = invocation.operands;
  const { host, json } = invocation;
  const { store, locations, project, warnings } = await openTopics(invocation);
  const resolve = createMemoryUrls({
    topics: store,
    learned: createLearnedReader(project.settings.values, locations.projectHome),
    prefix: async () => explainPrefix(await project.memory(), host),
    command: host.command,
  });
  const resolved = await resolve(url);
  if ("problem" in resolved) {
    const stderr = [...warnings, resolved.problem];
    return { stdout: "", stderr, exitCode: EXIT.nothingFound };
  }
  const { text } = resolved;
  const stdout = json ? `${terminalSafeJson({ url, text })}\n` : terminalSafe(text);
  return { stdout, stderr: warnings, exitCode: EXIT.done };
}
