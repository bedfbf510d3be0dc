import { mkdir, readFile, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { writeFileAtomic } from "@caliban/common/node";
import { MemoryError, type StoredTopic } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";
import { type OpenTopics, openTopics, openTopicsToWrite, PERSON } from "./open-topics.ts";
import { topicNotFound } from "./topic-not-found.ts";

/** The names of a project's instruction files, the one that is opened when it is there first. */
const PROJECT_FILES = ["CLAUDE.md", "AGENTS.md", ".caliban.md"];

/** `caliban memory edit WHAT`: a person's own file as it is, a topic with a check before it counts. */
export async function editMemory(invocation: Invocation): Promise<CommandResult> {
  const [what = ""] = invocation.operands;
  const editor = editorOf(invocation);
  if (what !== "global" && what !== "project") return await editTopic(invocation, what, editor);
  const topics = await openTopics(invocation);
  const path =
    what === "global" ? topics.places.globalFile : projectFile(topics.session.workspace.root);
  if (path === undefined)
    throw new UsageError("no home directory is known, so there is no global file; set HOME");
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const failed = await openFile(invocation, editor, path);
  if (failed !== undefined) return failed;
  const stdout = invocation.json
    ? `${terminalSafeJson({ kind: "opened", path })}\n`
    : `edited ${topics.shown(path)}\n`;
  return { stdout, stderr: topics.warnings, exitCode: EXIT.done };
}

function editorOf({ host: { env } }: Invocation): string {
  const editor = [env["VISUAL"], env["EDITOR"]].find(
    (command) => command !== undefined && command.trim() !== "",
  );
  if (editor !== undefined) return editor;
  throw new UsageError(
    "neither VISUAL nor EDITOR is set; set one to your editor, such as EDITOR=vi",
  );
}

function projectFile(root: string): string {
  const found = PROJECT_FILES.find((name) => existsSync(join(root, name)));
  return join(root, found ?? "CLAUDE.md");
}

/** Opens the editor; the answer of the command when that fails. */
async function openFile(
  { host }: Invocation,
  editor: string,
  path: string,
): Promise<CommandResult | undefined> {
  const code = await host.openEditor(editor, path);
  if (code === 0) return undefined;
  const sentence = `${terminalSafeLine(editor)} ended with exit code ${code}, so nothing was changed`;
  return { stdout: "", stderr: `caliban: ${sentence}\n`, exitCode: EXIT.failed };
}

/** The person edits a copy; an edit that cannot be taken is kept, and is what the next `edit` opens. */
async function editTopic(
  invocation: Invocation,
  name: string,
  editor: string,
): Promise<CommandResult> {
  const topics = await openTopicsToWrite(invocation);
  const topic = await topics.store.read(name);
  if (topic === undefined) return await topicNotFound(invocation, name, topics.store);
  const draft = draftPath(topics, topic);
  const isGoingOn = existsSync(draft);
  if (isGoingOn)
    invocation.host.stderr(
      `caliban: going on with the edit that was kept in ${topics.shown(draft)}\n`,
    );
  else await writeFileAtomic(draft, topic.text);
  const failed = await openFile(invocation, editor, draft);
  if (failed !== undefined) return failed;
  const text = await readFile(draft, "utf8");
  const outcome = await takeOver(invocation, topics, { topic, text });
  if (outcome.isDone) await rm(draft, { force: true });
  const kept = outcome.isDone
    ? ""
    : `; your edit is kept in ${topics.shown(draft)}, and \`caliban memory edit ${topic.slug}\` opens it again`;
  const report = {
    kind: outcome.kind,
    slug: topic.slug,
    ...(outcome.isDone ? {} : { draft }),
    sentence: outcome.sentence,
  };
  const line = `${outcome.sentence}${kept}\n`;
  return {
    stdout: invocation.json ? `${terminalSafeJson(report)}\n` : outcome.isDone ? line : "",
    stderr: topics.warnings + (outcome.isDone ? "" : `caliban: ${line}`),
    exitCode: outcome.isDone ? EXIT.done : EXIT.failed,
  };
}

function draftPath({ historyDirectory }: OpenTopics, { slug }: StoredTopic): string {
  return join(dirname(historyDirectory), "drafts", `${slug}.md`);
}

interface EditOutcome {
  readonly isDone: boolean;
  readonly kind: string;
  readonly sentence: string;
}

async function takeOver(
  { options }: Invocation,
  { store }: OpenTopics,
  { topic, text }: { readonly topic: StoredTopic; readonly text: string },
): Promise<EditOutcome> {
  const slug = terminalSafeLine(topic.slug);
  try {
    const result = await store.edit({
      name: topic.slug,
      text,
      ifMatch: topic.hash,
      allowSecrets: options["allowSecrets"] === true,
      author: PERSON,
    });
    if (result.kind === "edited")
      return { isDone: true, kind: result.kind, sentence: `saved ${slug}` };
    if (result.kind === "unchanged")
      return { isDone: true, kind: result.kind, sentence: `${slug} is as it was` };
    const what =
      result.kind === "missing"
        ? "was removed while you edited it"
        : `was changed by somebody else while you edited it (\`caliban memory show ${slug}\`: take over what you miss)`;
    return { isDone: false, kind: result.kind, sentence: `${slug} ${what}` };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return {
      isDone: false,
      kind: error.code,
      sentence: terminalSafeLine(`${topic.slug}.md: ${error.message}`),
    };
  }
}
