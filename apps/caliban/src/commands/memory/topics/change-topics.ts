import { terminalSafeLine } from "@caliban/common";
import {
  MAX_DESCRIPTION_CHARACTERS,
  TOPIC_TYPES,
  type TopicStore,
  type TopicType,
} from "@caliban/memory";
import { eraseTopic } from "@caliban/memory/node";
import { type CommandResult, type Invocation, listOption, textOption } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import type { Host } from "../../../host.ts";
import { findMentions } from "../../../project/find-mentions.ts";
import type { Project } from "../../../project/project.ts";
import { UsageError } from "../../../usage-error.ts";
import { formatCount } from "../../format-count.ts";
import { output } from "../output.ts";
import { findTopicName } from "./find-topic-name.ts";
import { isUserScope, type OpenTopics, openTopicsForWriting, USER } from "./open-topics.ts";
import { resultJson, topicNotFound } from "./topic-output.ts";

/** `caliban memory write SLUG`: the same as the agent's tool, with the text from `--text` or stdin. */
export async function writeTopic(invocation: Invocation): Promise<CommandResult> {
  const { host, options } = invocation;
  const [name = ""] = invocation.operands;
  const given = textOption(invocation, "text");
  const [type, description] = [parseType(invocation), parseDescription(invocation)];
  const { store, warnings, project, userFlag } = await openTopicsForWriting(invocation);
  const body = given === undefined ? await readText(host) : `${given.trimEnd()}\n`;
  if (userFlag !== "") await refuseMentions(project, `${description}\n${body}`);
  const result = await store.write({
    name,
    type,
    description,
    body,
    ...fieldsOf(invocation),
    replace: options["replace"] === true,
    allowSecrets: options["allowSecrets"] === true,
    author: USER,
  });
  const data = resultJson(result);
  if (result.kind !== "written") {
    const slug = result.kind === "missing" ? result.slug : result.current.slug;
    const message =
      result.kind === "missing"
        ? `topic ${slug} no longer exists`
        : `topic ${slug} already exists. Replace it with --replace (can be undone), or edit it with: ${host.command(`memory edit ${slug}${userFlag}`)}`;
    const stderr = [...warnings, message];
    return output(invocation, { data, text: "", stderr, exitCode: EXIT.failed });
  }
  const { slug, isNew, indexLine, warning } = result;
  const verb = isNew ? "saved" : "replaced";
  return output(invocation, {
    data,
    text: `${verb} ${terminalSafeLine(slug)}\n  ${terminalSafeLine(indexLine)}\n`,
    stderr: warning === undefined ? warnings : [...warnings, `warning: ${warning}`],
  });
}

async function readText(host: Host): Promise<string> {
  if (host.isInteractive()) host.stderr("Type the text. End with Ctrl-D on an empty line.\n");
  return await host.readInput();
}

/**
 * The given description, otherwise the first line of `--text`.
 * @throws UsageError when there is neither
 */
function parseDescription(invocation: Invocation): string {
  const text = textOption(invocation, "text");
  if (text?.trim() === "") throw new UsageError("--text is empty; pass the text to remember");
  const description = textOption(invocation, "description") ?? firstLine(text);
  if (description !== undefined) return description;
  throw new UsageError("--description is required: the text of its line in the index");
}

/** The first line with words, without the mark of a heading or a list, as long as the index allows. */
function firstLine(text: string | undefined): string | undefined {
  const line = text
    ?.trim()
    .split("\n")[0]
    ?.replace(/^(?:#+|[-*])\s+/, "");
  const characters = Array.from(line ?? "");
  if (characters.length <= MAX_DESCRIPTION_CHARACTERS) return line;
  return `${characters.slice(0, MAX_DESCRIPTION_CHARACTERS - 1).join("")}…`;
}

/** The fields of a topic. One without an option keeps its value; an empty text removes it. */
function fieldsOf(invocation: Invocation): TopicFields {
  const [paths, commands, supersedes, expect] = FIELD_OPTIONS.map((name) =>
    invocation.options[name] === undefined
      ? undefined
      : listOption(invocation, name).filter((text) => text !== ""),
  );
  const hasApplies = paths !== undefined || commands !== undefined;
  return {
    ...(hasApplies ? { applies: { paths: paths ?? [], commands: commands ?? [] } } : {}),
    ...(supersedes === undefined ? {} : { supersedes }),
    ...(expect === undefined ? {} : { expect }),
  };
}

const FIELD_OPTIONS = ["appliesPath", "appliesCommand", "supersedes", "expect"] as const;

type TopicFields = Pick<Parameters<TopicStore["write"]>[0], "applies" | "supersedes" | "expect">;

/**
 * Memory about the user holds in every project, so it must not be about this one.
 * @throws UsageError that names the words
 */
async function refuseMentions(project: Project, text: string): Promise<void> {
  const mentions = await findMentions(project, text);
  if (mentions.length === 0) return;
  const words = mentions.map((mention) => JSON.stringify(mention)).join(", ");
  throw new UsageError(
    `memory about you holds in every project, and the text names this one: ${words}; leave that out, or omit --user`,
  );
}

/** @throws UsageError */
function parseType(invocation: Invocation): TopicType {
  const given = textOption(invocation, "type");
  const type = TOPIC_TYPES.find((each) => each === given);
  if (type !== undefined) return type;
  const types = TOPIC_TYPES.join(", ");
  const hasText = textOption(invocation, "text") !== undefined;
  if (given === undefined && hasText) return isUserScope(invocation) ? "user" : "project";
  if (given === undefined)
    throw new UsageError(`--type is required with a text from stdin: one of ${types}`);
  throw new UsageError(`--type must be one of ${types}, not ${JSON.stringify(given)}`);
}

/** `caliban memory mv SLUG NEW`: renames a topic with its history and updates the links to it. */
export async function renameTopic(invocation: Invocation): Promise<CommandResult> {
  const [typed = "", to = ""] = invocation.operands;
  const topics = await openTopicsForWriting(invocation);
  const { store, warnings } = topics;
  const from = await findTopicName(invocation, topics, typed);
  const result = await store.rename({ from, to, author: USER });
  if (result.kind === "missing") return await topicNotFound(invocation, from, topics);
  const data = resultJson(result);
  if (result.kind === "conflict") {
    const { slug } = result.current;
    const message = `topic ${slug} already exists; remove it first, or choose another name`;
    const stderr = [...warnings, message];
    return output(invocation, { data, text: "", stderr, exitCode: EXIT.failed });
  }
  const { slug, relinked, change } = result;
  const links =
    relinked.length === 0 ? "" : `; updated links in ${relinked.map(terminalSafeLine).join(", ")}`;
  const text =
    change === undefined
      ? `${terminalSafeLine(slug)} already has that name\n`
      : `renamed ${terminalSafeLine(from)} to ${terminalSafeLine(slug)}${links}\n`;
  return output(invocation, { data, text, stderr: warnings });
}

/** `caliban memory rm SLUG`: asks first. It can be undone, unless the topic is purged. */
export async function removeTopic(invocation: Invocation): Promise<CommandResult> {
  const isPurged = invocation.options["purge"] === true;
  const topics = await openTopicsForWriting(invocation);
  const { store, warnings, userFlag } = topics;
  const name = await nameToRemove(invocation, topics);
  const found = await store.read(name);
  // A removed topic may still be in the history.
  const isKnown = found !== undefined || (isPurged && (await store.log(name)).length > 0);
  if (!isKnown) return await topicNotFound(invocation, name, topics);
  const slug = found?.slug ?? name;
  const shown = terminalSafeLine(slug);
  const question = isPurged ? `Permanently remove ${shown} and its history?` : `Remove ${shown}?`;
  if (!(await isConfirmed(invocation, question))) {
    return { stdout: "", stderr: [`${slug} was not removed`], exitCode: EXIT.failed };
  }
  const removed = await store.remove({ name, author: USER });
  const change = removed.kind === "removed" ? removed.change : undefined;
  const erased = isPurged ? await eraseTopic(topics, slug) : undefined;
  const result =
    erased === undefined
      ? `Restore it with: ${invocation.host.command(`memory undo ${change}${userFlag}`)}`
      : `${formatCount(erased, "change")} permanently erased from the history`;
  return output(invocation, {
    data: { kind: "removed", slug, change, erased },
    text: `removed ${shown}. ${result}\n`,
    stderr: warnings,
  });
}

/** Only the question shows which topic a part of a name means, and purging is for good. */
async function nameToRemove(invocation: Invocation, topics: OpenTopics): Promise<string> {
  const [typed = ""] = invocation.operands;
  const { purge, force } = invocation.options;
  if (purge === true || force === true) return typed;
  return await findTopicName(invocation, topics, typed);
}

async function isConfirmed({ host, options }: Invocation, question: string): Promise<boolean> {
  if (options["force"] === true) return true;
  if (!host.isInteractive())
    throw new UsageError("rm asks for confirmation, and stdin is not a terminal; pass --force");
  return await host.confirm(question);
}

/** `caliban memory rebuild-index`: writes the lines of the topics again and keeps the rest. */
export async function rebuildIndex(invocation: Invocation): Promise<CommandResult> {
  const { store, warnings } = await openTopicsForWriting(invocation);
  const { added, dropped, isChanged } = await store.rebuildIndex();
  const text = isChanged
    ? `rebuilt the index: ${added.length} added, ${dropped.length} dropped, the others refreshed\n`
    : "the index is up to date\n";
  return output(invocation, { data: { added, dropped, isChanged }, text, stderr: warnings });
}
