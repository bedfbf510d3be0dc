import type { Invocation } from "../../command.ts";
import { createChangeHub } from "../../../../../packages/mcp/src/serve/change-hub.ts";
import type { OpenProject } from "../../../../../packages/mcp/src/serve/client-view.ts";
import { openServedProject } from "./served-project.ts";
import { startLine } from "./start-line.ts";

/** Opens a project and tells the person which one. @throws as `openServedProject` does */
export async function openProject(
  invocation: Invocation,
  isReadOnly: boolean,
  say: (line: string) => void,
): Promise<OpenProject> {
  const project = await openServedProject(invocation, isReadOnly);
  for (const warning of project.warnings) say(warning);
  say(await startLine(project, invocation.host));
  return { project, hub: createChangeHub({ project, say }) };
}
