import { userDirectories } from "@caliban/common";
import type { Invocation } from "../../command.ts";
import { openProjectInbox } from "../../project/inbox.ts";
import { learnedDirectory } from "../../project/locations.ts";
import { openProject } from "../../project/project.ts";
import { watchTopics } from "../../project/watch-topics.ts";

interface WatchMemoryInput {
  readonly onChange: () => void;
  readonly report: (line: string) => void;
}

/** Reports when something that the page shows may have changed. Returns how to stop. */
export async function watchMemory(
  invocation: Invocation,
  { onChange, report }: WatchMemoryInput,
): Promise<() => void> {
  const project = await openProject(invocation);
  const topics = await project.topics();
  const { projectHome } = topics.locations;
  const { directory: user } = await project.userTopics();
  const inboxes = await Promise.all([
    openProjectInbox(project, "project"),
    openProjectInbox(project, "user"),
  ]);
  const found = [
    user,
    projectHome && learnedDirectory(projectHome),
    ...inboxes.map((inbox) => inbox?.directory),
    // Instruction files.
    project.workspace.root,
    userDirectories(project.environment).config,
  ];
  return watchTopics({
    topics,
    directories: found.filter((directory) => directory !== undefined),
    onChange,
    onPolling: (reason) =>
      report(
        `changes of other programs appear with a delay, because files cannot be watched: ${reason}`,
      ),
  });
}
