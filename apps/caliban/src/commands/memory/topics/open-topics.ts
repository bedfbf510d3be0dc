import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import type { OpenedTopicStore } from "@caliban/memory/node";
import type { Invocation } from "../../../command.ts";
import { openProject, type Project } from "../../../project/project.ts";
import { requireAutoMemory } from "../../../project/auto-memory-off.ts";
import { renderSettingsWarnings } from "../../warnings.ts";

/** The topics of the workspace, for one command. */
export interface OpenTopics extends OpenedTopicStore {
  readonly project: Project;
  /** What is to be said on stderr, whatever the command does. */
  readonly warnings: string;
  /** A path as the person reads it. */
  readonly shown: (path: string) => string;
}

/** For commands that look. */
export async function openTopics(invocation: Invocation): Promise<OpenTopics> {
  return await open(invocation, false);
}

/**
 * For commands that may write, which none does where the notes are turned off.
 * @throws UsageError
 */
export async function openTopicsToWrite(invocation: Invocation): Promise<OpenTopics> {
  const topics = await open(invocation, true);
  requireAutoMemory(topics.project);
  return topics;
}

async function open(invocation: Invocation, forWriting: boolean): Promise<OpenTopics> {
  const { platform, home } = invocation.host;
  const project = await openProject(invocation);
  const { settings } = project;
  const opened = await project.topics({ forWriting });
  return {
    ...opened,
    project,
    warnings: renderSettingsWarnings(settings.warnings),
    shown: (path) => terminalSafeLine(abbreviateHome(pathStyleOf(platform), path, home)),
  };
}

/** A person at the command line is the author. */
export const PERSON = { who: "person" } as const;
