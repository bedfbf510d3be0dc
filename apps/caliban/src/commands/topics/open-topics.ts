import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { type OpenedTopicStore, openTopicStore } from "@caliban/memory/node";
import type { Invocation } from "../../command.ts";
import { openSession, type Session } from "../../compose.ts";
import { refuseWhereOff } from "../../notes-off.ts";
import { renderSettingsWarnings } from "../../render/warnings.ts";

/** The topics of the workspace, for one command. */
export interface OpenTopics extends OpenedTopicStore {
  readonly session: Session;
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
  refuseWhereOff(invocation, topics.session);
  return topics;
}

async function open(invocation: Invocation, forWriting: boolean): Promise<OpenTopics> {
  const { host } = invocation;
  const { env, platform, home } = host;
  const session = await openSession(invocation);
  const { workspace, settings } = session;
  const directory = settings.values["memory.directory"];
  const opened = await openTopicStore({ env, platform, home, workspace, directory, forWriting });
  return {
    ...opened,
    session,
    warnings: renderSettingsWarnings(settings.warnings),
    shown: (path) => terminalSafeLine(abbreviateHome(pathStyleOf(platform), path, home)),
  };
}

/** A person at the command line is the author. */
export const PERSON = { who: "person" } as const;
