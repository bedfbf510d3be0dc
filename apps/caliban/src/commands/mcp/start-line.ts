import { abbreviateHome, pathStyleOf } from "@caliban/common";
import { MemoryError } from "@caliban/memory";
import type { Host } from "../../host.ts";
import { offText } from "../../../../../packages/mcp/src/serve/instructions.ts";
import type { ServedProject } from "./served-project.ts";

/** What the person is told when a project is open: which one, how much there is of it, and what clients may do. */
export async function startLine(
  project: ServedProject,
  { home, platform }: Pick<Host, "home" | "platform">,
): Promise<string> {
  const { session, offBy, notes, withheld } = project;
  const place = abbreviateHome(pathStyleOf(platform), session.workspace.root, home);
  if (offBy !== undefined || notes === undefined) {
    return `${place}. ${offText(abbreviateHome(pathStyleOf(platform), offBy ?? "", home))}`;
  }
  return `${place}, ${await countTopics(notes)}, ${rightsWithout(withheld)}`;
}

function rightsWithout(withheld: ServedProject["withheld"]): string {
  if (withheld.length === 0) return "clients may read and write";
  if (withheld.every(({ isReadOnly }) => !isReadOnly)) return "read-only";
  return `your rules deny ${withheld.map(({ name }) => name).join(", ")}`;
}

async function countTopics(notes: NonNullable<ServedProject["notes"]>): Promise<string> {
  try {
    const { topics } = await notes.list();
    return topics.length === 1 ? "1 topic" : `${topics.length} topics`;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return `no topics that can be read (${error.message})`;
  }
}
