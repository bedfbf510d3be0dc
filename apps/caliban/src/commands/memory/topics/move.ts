import { terminalSafeLine } from "@caliban/common";
import type { StoredTopic } from "@caliban/memory";
import { type CommandResult, type Invocation, textOption } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { findMentions } from "../../../project/find-mentions.ts";
import { UsageError } from "../../../usage-error.ts";
import { output } from "../output.ts";
import { findTopicName } from "./find-topic-name.ts";
import { type OpenTopics, openTopicsForWriting, USER } from "./open-topics.ts";
import { topicNotFound } from "./topic-output.ts";

type Scope = "user" | "project";

/**
 * `caliban memory move SLUG --to user|project`: writes the topic there, then removes it here. A process that is killed in
 * between leaves both, and the next move removes the one that is left over.
 */
export async function moveTopic(invocation: Invocation): Promise<CommandResult> {
  const [typed = ""] = invocation.operands;
  const to = parseTarget(invocation);
  const from = to === "user" ? "project" : "user";
  const source = await openScope(invocation, from);
  const target = await openScope(invocation, to);
  // One that is there already is not a part of the name of another.
  const isMoved = (await target.store.read(typed)) !== undefined;
  const name = isMoved ? typed : await findTopicName(invocation, source, typed);
  const found = await source.store.read(name);
  if (found === undefined) return await notFound(invocation, name, { source, target, to });
  if (to === "user") await refuseMentions(invocation, found, source);
  return await moveFound({ invocation, found, source, target, to });
}

/** @throws UsageError */
function parseTarget(invocation: Invocation): Scope {
  const to = textOption(invocation, "to");
  if (to === "user" || to === "project") return to;
  throw new UsageError(
    to === undefined
      ? "--to is required: user or project"
      : `--to must be user or project, not ${JSON.stringify(to)}`,
  );
}

async function openScope(invocation: Invocation, scope: Scope): Promise<OpenTopics> {
  const options = { ...invocation.options, user: scope === "user" };
  return await openTopicsForWriting({ ...invocation, options });
}

interface Stores {
  readonly source: OpenTopics;
  readonly target: OpenTopics;
  readonly to: Scope;
}

/** A topic that is in the target already was probably moved before. */
async function notFound(
  invocation: Invocation,
  name: string,
  { source, target, to }: Stores,
): Promise<CommandResult> {
  const existing = await target.store.read(name);
  if (existing === undefined) return await topicNotFound(invocation, name, source);
  const { slug } = existing;
  return output(invocation, {
    data: { kind: "unchanged", slug, to },
    text: `${terminalSafeLine(slug)} is already in ${NAMES[to]}\n`,
    stderr: source.warnings,
  });
}

const NAMES: Readonly<Record<Scope, string>> = {
  user: "your own memory",
  project: "the memory of this project",
};

/** @throws UsageError that names the words */
async function refuseMentions(
  { host }: Invocation,
  { slug, text }: StoredTopic,
  { project }: OpenTopics,
): Promise<void> {
  const mentions = await findMentions(project, text);
  if (mentions.length === 0) return;
  const words = mentions.map((mention) => JSON.stringify(mention)).join(", ");
  const edit = host.command(`memory edit ${terminalSafeLine(slug)}`);
  throw new UsageError(
    `${terminalSafeLine(slug)} names this workspace: ${words}; your own memory holds in every project. Remove that with: ${edit}`,
  );
}

async function moveFound(
  input: Stores & { readonly invocation: Invocation; readonly found: StoredTopic },
): Promise<CommandResult> {
  const { invocation, found, source, target, to } = input;
  const { slug, text, hash } = found;
  const written = await target.store.edit({
    name: slug,
    text,
    allowSecrets: invocation.options["allowSecrets"] === true,
    // It was accepted where it is.
    allowMalformed: true,
    author: USER,
    moved: addressOf(slug, to === "user" ? "project" : "user"),
  });
  // The same text is left over from a move that was killed.
  const isLeftOver = written.kind === "conflict" && written.current.text === text;
  if (written.kind !== "edited" && !isLeftOver) return conflict(input);
  const removed = await source.store.remove({
    name: slug,
    ifMatch: hash,
    author: USER,
    moved: addressOf(slug, to),
  });
  if (removed.kind === "conflict") return changedMeanwhile(input);
  const back = `memory move ${terminalSafeLine(slug)} --to ${to === "user" ? "project" : "user"}`;
  return output(invocation, {
    data: { kind: "moved", slug, to, address: addressOf(slug, to) },
    text: `moved ${terminalSafeLine(slug)} to ${NAMES[to]}. Move it back with: ${invocation.host.command(back)}\n`,
    stderr: [
      ...source.warnings,
      ...(written.kind === "edited" && written.warning !== undefined
        ? [`warning: ${written.warning}`]
        : []),
    ],
  });
}

function addressOf(slug: string, scope: Scope): string {
  return scope === "user" ? `memory://user/topics/${slug}` : `memory://topics/${slug}`;
}

function conflict({
  invocation,
  found,
  source,
  target,
  to,
}: Stores & { readonly invocation: Invocation; readonly found: StoredTopic }): CommandResult {
  const slug = terminalSafeLine(found.slug);
  const { command } = invocation.host;
  const rename = command(`memory mv ${slug} <new>${source.userFlag}`);
  const show = command(`memory show ${slug}${target.userFlag}`);
  const message = `${NAMES[to]} already has a topic ${slug} with another text, so nothing was moved. Compare with: ${show}, or rename this one with: ${rename}`;
  return output(invocation, {
    data: { kind: "conflict", slug: found.slug, to },
    text: "",
    stderr: [...source.warnings, message],
    exitCode: EXIT.failed,
  });
}

function changedMeanwhile({
  invocation,
  found,
  source,
  to,
}: Stores & { readonly invocation: Invocation; readonly found: StoredTopic }): CommandResult {
  const slug = terminalSafeLine(found.slug);
  const message = `${slug} was changed while it was moved, so both are kept: the earlier text is in ${NAMES[to]}`;
  return output(invocation, {
    data: { kind: "changed", slug: found.slug, to },
    text: "",
    stderr: [...source.warnings, message],
    exitCode: EXIT.failed,
  });
}
