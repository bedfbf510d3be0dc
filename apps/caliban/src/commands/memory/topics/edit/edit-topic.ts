import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { MemoryError, type StoredTopic } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../../../command.ts";
import { EXIT } from "../../../../exit-code.ts";
import {
  createDraft,
  type Draft,
  draftsDirectory,
  draftsOf,
  readDraft,
  removeDraft,
} from "./drafts.ts";
import { openEditor } from "./open-editor.ts";
import { type OpenTopics, openTopicsToWrite, PERSON } from "../open-topics.ts";
import { topicNotFound } from "../topic-not-found.ts";

/** The person edits a copy; an edit that cannot be taken is kept, and is what the next `edit` opens. */
export async function editTopic(
  invocation: Invocation,
  name: string,
  editor: string,
): Promise<CommandResult> {
  const topics = await openTopicsToWrite(invocation);
  const topic = await topics.store.read(name);
  if (topic === undefined) return await topicNotFound(invocation, name, topics.store);
  const draft = await draftFor(invocation, topics, topic);
  const failed = await openEditor(invocation, editor, draft.path);
  const text = await readDraft(draft);
  // What was not touched is no edit to keep.
  if (text === undefined || text === topic.text) removeDraft(draft);
  if (failed !== undefined) return failed;
  const outcome =
    text === undefined ? GONE : await takeOver(invocation, topics, { topic, draft, text });
  if (outcome.isDone) removeDraft(draft);
  return answer(invocation, topics, { slug: topic.slug, draft, outcome });
}

/** One that began with the present text is gone on with; an older one is only spoken of. */
async function draftFor(
  { host }: Invocation,
  topics: OpenTopics,
  topic: StoredTopic,
): Promise<Draft> {
  const directory = draftsDirectory(topics);
  const kept = draftsOf(directory, topic.slug);
  const own = kept.find(({ base }) => base === topic.hash);
  for (const { path } of kept.filter((draft) => draft !== own)) {
    const sentence = `an edit of an older text of ${terminalSafeLine(topic.slug)} is kept in ${topics.shown(path)}; take over what you need, then delete it`;
    host.stderr(`caliban: ${sentence}\n`);
  }
  if (own === undefined) return await createDraft(directory, topic);
  host.stderr(`caliban: going on with the edit that was kept in ${topics.shown(own.path)}\n`);
  return own;
}

interface EditOutcome {
  readonly isDone: boolean;
  readonly kind: string;
  /** Without a full stop: more may follow. */
  readonly sentence: string;
}

const GONE: EditOutcome = {
  isDone: true,
  kind: "gone",
  sentence: "another edit of this topic took your copy over",
};

async function takeOver(
  { options }: Invocation,
  { store }: OpenTopics,
  {
    topic,
    draft,
    text,
  }: { readonly topic: StoredTopic; readonly draft: Draft; readonly text: string },
): Promise<EditOutcome> {
  const slug = terminalSafeLine(topic.slug);
  try {
    const allowSecrets = options["allowSecrets"] === true;
    const result = await store.edit({
      name: topic.slug,
      text,
      ifMatch: draft.base,
      allowSecrets,
      author: PERSON,
    });
    if (result.kind === "edited")
      return { isDone: true, kind: result.kind, sentence: `saved ${slug}` };
    if (result.kind === "unchanged")
      return { isDone: true, kind: result.kind, sentence: `${slug} is as it was` };
    const what = result.kind === "missing" ? "removed" : "changed";
    return {
      isDone: false,
      kind: result.kind,
      sentence: `${slug} was ${what} by somebody else while you edited it`,
    };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const sentence = terminalSafeLine(`${topic.slug}.md: ${error.message}`).replace(/\.$/, "");
    return { isDone: false, kind: error.code, sentence };
  }
}

function answer(
  { json }: Invocation,
  { warnings, shown }: OpenTopics,
  {
    slug,
    draft,
    outcome,
  }: { readonly slug: string; readonly draft: Draft; readonly outcome: EditOutcome },
): CommandResult {
  const { isDone, kind, sentence } = outcome;
  const kept = isDone
    ? ""
    : `; your edit is kept in ${shown(draft.path)}, and \`caliban memory edit ${terminalSafeLine(slug)}\` goes on with it; delete that file to begin anew`;
  const report = { kind, slug, sentence, ...(isDone ? {} : { draft: draft.path }) };
  const line = `${sentence}${kept}\n`;
  return {
    stdout: json ? `${terminalSafeJson(report)}\n` : isDone ? line : "",
    stderr: warnings + (isDone ? "" : `caliban: ${line}`),
    exitCode: isDone ? EXIT.done : EXIT.failed,
  };
}
