import type { Host } from "../../host.ts";
import { type HookSummary, summarizeHooks } from "../../hooks/summarize-hooks.ts";
import type { Project } from "../../project/project.ts";
import { type Check, note, ok, problem } from "./check.ts";

/** Checks which hooks run, without running one, and which need approval. */
export async function checkHooks(host: Host, project: Project): Promise<readonly Check[]> {
  const { hooks, offReason } = await summarizeHooks(project);
  if (hooks.length === 0) return [];
  if (offReason !== undefined) return [note("hooks", offReason)];
  return hooks.flatMap((hook) => checkHook(host, hook));
}

function checkHook({ command }: Host, hook: HookSummary): readonly Check[] {
  const { name, standing, event, notes, source, isRequested } = hook;
  const about = `hook ${name}`;
  const approve = command(`hooks approve ${name}`);
  switch (standing) {
    case "yours":
    case "approved":
      return [ok(about, `${standing}: ${event}`)];
    case "turned-off":
      return [note(about, `turned off in ${source}`)];
    case "problem":
      return notes.map((reason) =>
        // The user cannot be expected to fix files of a repository.
        isRequested
          ? note(about, `requested by ${source}, but cannot be used: ${reason}`)
          : problem(about, reason, `Fix it in ${source}.`),
      );
    case "changed":
      return [note(about, "changed since you approved it", approve)];
    case "needs-approval":
      return [note(about, `requested by ${source} but not approved`, approve)];
  }
}
