import { terminalSafe, terminalSafeLine } from "@caliban/common";
import { findSecrets } from "@caliban/memory/node";
import type { SharedTopic } from "@caliban/memory-git";
import { createStyle } from "../../../cli/style.ts";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { settingsThatTurnOff } from "../../../project/auto-memory-off.ts";
import { displayRemote } from "../../../project/team/display-remote.ts";
import { sharedText, shareTopic, unshareTopic } from "../../../project/team/share-topic.ts";
import { UsageError } from "../../../usage-error.ts";
import { renderTextDiff } from "../../render-text-diff.ts";
import { output } from "../output.ts";
import { findTopicName } from "../topics/find-topic-name.ts";
import { openTopicsForWriting } from "../topics/open-topics.ts";
import { topicNotFound } from "../topics/topic-output.ts";
import {
  isConfirmed,
  openTeamCommand,
  reportTeamErrors,
  requireTeamMemory,
  type TeamCommand,
} from "./team-command.ts";

/** `caliban memory team share SLUG`: shows the text, asks the first time, and moves the topic to the team. */
export async function shareWithTeam(invocation: Invocation): Promise<CommandResult> {
  return await reportTeamErrors(invocation, async () => {
    const opened = await openTeamCommand(invocation);
    requireTeamMemory(opened.project);
    requireSharing(opened);
    return await share(invocation, opened);
  });
}

/** @throws UsageError */
function requireSharing({ project }: TeamCommand): void {
  const reason = settingsThatTurnOff(project.settings, "memory.team.share");
  if (reason !== undefined)
    throw new UsageError(`memory.team.share is "off" in ${reason}, so nothing is shared`);
}

async function share(
  invocation: Invocation,
  { team, warnings }: TeamCommand,
): Promise<CommandResult> {
  const { host, operands } = invocation;
  const [typed = ""] = operands;
  const topics = await openTopicsForWriting(invocation);
  const shared = await team.engine.topics();
  const isShared = shared.some(({ slug }) => slug === typed);
  const name = isShared ? typed : await findTopicName(invocation, topics, typed);
  const stored = await topics.store.read(name);
  if (stored === undefined)
    return isShared
      ? alreadyShared(invocation, typed)
      : await topicNotFound(invocation, name, topics);
  const { slug } = stored;
  const text = await sharedText(stored);
  await refuseSecrets(slug, text);
  const before = shared.find((topic) => topic.slug === slug);
  const about = describe(invocation, { slug, text, before, remote: team.stored.remote });
  const isNew = before === undefined;
  const question = `Share ${terminalSafeLine(slug)}?`;
  if (isNew && !(await isConfirmed(invocation, { about, question })))
    return output(invocation, {
      data: { kind: "declined", slug },
      text: "Nothing was shared.\n",
      stderr: warnings,
      exitCode: EXIT.failed,
    });
  const outcome = await shareTopic(team, topics.store, stored);
  await team.refresh();
  const sync = host.command("memory team sync");
  const changed =
    outcome === "changed"
      ? [
          `${slug} was changed while it was shared, so the newer text stays in this project; share it again`,
        ]
      : [];
  return output(invocation, {
    data: { kind: isNew ? "shared" : "updated", slug },
    text: `${isNew ? "" : about}${isNew ? "shared" : "updated"} ${terminalSafeLine(slug)}; it is the team's topic now. Send it with: ${sync}\n`,
    stderr: [...warnings, ...changed],
  });
}

function alreadyShared(invocation: Invocation, slug: string): CommandResult {
  const edit = invocation.host.command(`memory write ${terminalSafeLine(slug)}`);
  return output(invocation, {
    data: { kind: "unchanged", slug },
    text: `${terminalSafeLine(slug)} is shared already. To change it, write your own text with: ${edit}, then share it again.\n`,
  });
}

/** @throws UsageError that names what looks like a secret */
async function refuseSecrets(slug: string, text: string): Promise<void> {
  const found = await findSecrets(text);
  if (found.length === 0) return;
  const names = [...new Set(found.map(({ kind }) => kind))].join(", ");
  throw new UsageError(
    `${terminalSafeLine(slug)} contains what looks like a secret (${names}), so it is not shared; the history of git would keep it. Remove it first`,
  );
}

function describe(
  { host }: Invocation,
  {
    slug,
    text,
    before,
    remote,
  }: {
    readonly slug: string;
    readonly text: string;
    readonly before: SharedTopic | undefined;
    readonly remote: string;
  },
): string {
  if (before !== undefined) {
    const change = { name: `${terminalSafeLine(slug)}.md`, before: before.text, after: text };
    return renderTextDiff(change, createStyle(host.hasColor("stdout")));
  }
  const shown = terminalSafe(text.trimEnd())
    .split("\n")
    .map((line) => `  ${line}`.trimEnd())
    .join("\n");
  return `${shown}\n\nEveryone who can read ${terminalSafeLine(displayRemote(remote))} will be able to read this, and git keeps it even if you unshare it.\n`;
}

/** `caliban memory team unshare SLUG`: takes a topic back, and removes it for everyone with the next sync. */
export async function unshareFromTeam(invocation: Invocation): Promise<CommandResult> {
  return await reportTeamErrors(invocation, async () => {
    const { host, operands } = invocation;
    const [slug = ""] = operands;
    const { project, team, warnings } = await openTeamCommand(invocation);
    requireTeamMemory(project);
    const shown = terminalSafeLine(slug);
    const about = `Unsharing ${shown} removes it for everyone with their next sync. The text stays in this project, and in the git history of ${terminalSafeLine(displayRemote(team.stored.remote))}.\n`;
    if (!(await isConfirmed(invocation, { about, question: `Unshare ${shown}?` })))
      return output(invocation, {
        data: { kind: "declined", slug },
        text: "Nothing was changed.\n",
        stderr: warnings,
        exitCode: EXIT.failed,
      });
    const topics = await openTopicsForWriting(invocation);
    const outcome = await unshareTopic(team, topics.store, slug);
    await team.refresh();
    const kept =
      outcome === "restored"
        ? "it is a topic of this project again"
        : "this project keeps its own text";
    return output(invocation, {
      data: { kind: "unshared", slug },
      text: `unshared ${shown}; ${kept}. Remove it for everyone with: ${host.command("memory team sync")}\n`,
      stderr: warnings,
    });
  });
}
