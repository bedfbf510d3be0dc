import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "@caliban/common/node";
import { parseTopic, type Proposal, renderTopic } from "@caliban/memory";
import type { Invocation } from "../../../command.ts";
import { UsageError } from "../../../usage-error.ts";
import { findEditor } from "../topics/edit.ts";
import type { OpenedInbox } from "./open-inbox.ts";

/**
 * Opens a proposal in the user's editor, and replaces its text. An edit that is not valid stays in a file, and the next
 * one continues with it.
 * @throws UsageError, or MemoryError for a text that cannot be saved
 */
export async function editProposal(
  invocation: Invocation,
  { inbox, topics }: OpenedInbox,
  proposal: Proposal,
): Promise<Proposal> {
  if (!("body" in proposal.topic)) throw new UsageError("a deletion has no text to edit");
  const { name, description, type, body } = proposal.topic;
  const openEditor = findEditor(invocation, "accept the proposal, then edit the topic");
  const path = join(inbox.directory, `${proposal.id}.md`);
  if (!existsSync(path)) {
    await writeFileAtomic(path, await renderTopic({ name, description, type, body }));
  }
  const failure = await openEditor(path);
  if (failure !== undefined) throw new UsageError(failure);
  const edited = await parseTopic(await readFile(path, "utf8"));
  const kept = topics.displayPath(path);
  if (edited.problems.length > 0 || edited.type === undefined) {
    const [problem] = edited.problems;
    const reason = problem?.message ?? "the type is missing";
    throw new UsageError(`${reason}; your edit is kept in ${kept}. Run the command again`);
  }
  const topic = {
    ...proposal.topic,
    description: edited.description,
    type: edited.type,
    body: edited.body,
  };
  const saved = await inbox.edit(proposal.id, topic);
  if (saved === undefined)
    throw new UsageError(`the proposal is gone; your edit is kept in ${kept}`);
  await rm(path);
  return saved;
}
