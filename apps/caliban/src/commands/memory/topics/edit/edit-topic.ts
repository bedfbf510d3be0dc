import { spellCommands, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { MemoryError, type StoredTopic } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../../../command.ts";
import { EXIT } from "../../../../exit-code.ts";
import { type OpenTopics, openTopicsForWriting, USER } from "../open-topics.ts";
import { topicNotFound } from "../topic-output.ts";
import {
  createDraft,
  type Draft,
  draftsDirectory,
  draftsOf,
  readDraft,
  removeDraft,
} from "./drafts.ts";
import { openEditor } from "./open-editor.ts";

/** Opens a copy of a topic. An edit that cannot be saved is kept, and the next edit continues with it. */
export async function editTopic(
  invocation: Invocation,
  name: string,
  editor: string,
): Promise<CommandResult> {
  const topics = await openTopicsForWriting(invocation);
  const topic = await topics.store.read(name);
  if (topic === undefined) return await topicNotFound(invocation, name, topics.store);
  const draft = await openDraft(invocation, topics, topic);
  const failure = await openEditor(invocation, editor, draft.path);
  const text = readDraft(draft);
  // An unchanged draft is not worth keeping.
  const isKept = text !== undefined && text !== topic.text;
  if (!isKept) removeDraft(draft);
  if (failure !== undefined) {
    const kept = isKept ? howToContinue(topics, topic.slug, draft) : "";
    const stderr = [`${failure}; nothing was saved${kept}`];
    return { stdout: "", stderr, exitCode: EXIT.failed };
  }
  const outcome =
    text === undefined ? DRAFT_GONE : await save(invocation, topics, { topic, draft, text });
  if (outcome.isDone) removeDraft(draft);
  return printOutcome(invocation, topics, { slug: topic.slug, draft, outcome });
}

/** Continues a draft of the present text. A draft of an older text is only mentioned. */
async function openDraft(
  { host }: Invocation,
  topics: OpenTopics,
  topic: StoredTopic,
): Promise<Draft> {
  const directory = draftsDirectory(topics);
  const drafts = draftsOf(directory, topic.slug);
  const current = drafts.find(({ base }) => base === topic.hash);
  for (const { path } of drafts.filter((draft) => draft !== current)) {
    const slug = terminalSafeLine(topic.slug);
    const message = `an unsaved edit of an older version of ${slug} is in ${topics.displayPath(path)}; copy what you need, then delete it`;
    host.report(message);
  }
  if (current === undefined) return await createDraft(directory, topic);
  host.report(`continuing the unsaved edit in ${topics.displayPath(current.path)}`);
  return current;
}

interface EditOutcome {
  readonly isDone: boolean;
  /** Part of the JSON output. */
  readonly kind: string;
  /** Without a period, because more may follow. */
  readonly message: string;
}

const DRAFT_GONE: EditOutcome = {
  isDone: true,
  kind: "gone",
  message: "another edit of this topic has already used your copy",
};

async function save(
  { host, options }: Invocation,
  { store }: OpenTopics,
  edited: { readonly topic: StoredTopic; readonly draft: Draft; readonly text: string },
): Promise<EditOutcome> {
  const { topic, draft, text } = edited;
  const slug = terminalSafeLine(topic.slug);
  try {
    const { kind } = await store.edit({
      name: topic.slug,
      text,
      ifMatch: draft.base,
      allowSecrets: options["allowSecrets"] === true,
      author: USER,
    });
    if (kind === "edited") return { isDone: true, kind, message: `saved ${slug}` };
    if (kind === "unchanged") return { isDone: true, kind, message: `${slug} is unchanged` };
    const what = kind === "missing" ? "removed" : "changed";
    return { isDone: false, kind, message: `${slug} was ${what} while you were editing it` };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const message = terminalSafeLine(`${topic.slug}.md: ${spellCommands(error, host.command)}`);
    return { isDone: false, kind: error.code, message: message.replace(/\.$/, "") };
  }
}

function printOutcome(
  { json }: Invocation,
  topics: OpenTopics,
  edit: { readonly slug: string; readonly draft: Draft; readonly outcome: EditOutcome },
): CommandResult {
  const { slug, draft, outcome } = edit;
  const { isDone, kind, message } = outcome;
  const kept = isDone ? "" : howToContinue(topics, slug, draft);
  const report = { kind, slug, sentence: message, ...(isDone ? {} : { draft: draft.path }) };
  const line = `${message}${kept}`;
  return {
    stdout: json ? `${terminalSafeJson(report)}\n` : isDone ? `${line}\n` : "",
    stderr: isDone ? topics.warnings : [...topics.warnings, line],
    exitCode: isDone ? EXIT.done : EXIT.failed,
  };
}

function howToContinue(
  { displayPath, project }: OpenTopics,
  slug: string,
  { path }: Draft,
): string {
  const edit = project.host.command(`memory edit ${terminalSafeLine(slug)}`);
  return `. Your edit is kept in ${displayPath(path)}. Continue with: ${edit}, or delete the file to start over`;
}
