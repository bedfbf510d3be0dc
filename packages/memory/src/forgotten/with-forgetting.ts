import { MemoryError } from "../errors.ts";
import type { Change } from "../history/change.ts";
import { undoableChanges } from "../history/undo.ts";
import type { ImportedTopics, ImportTopicsInput } from "../store/imported-topics.ts";
import type { UndoInput, UndoneChange } from "../store/topic-history.ts";
import type {
  Author,
  EditTopicInput,
  EditTopicResult,
  RemoveTopicInput,
  RemoveTopicResult,
  TopicStore,
  WriteTopicInput,
  WriteTopicResult,
} from "../store/topic-store.ts";
import { parseTopic } from "../topics/topic-file.ts";
import type { ForgottenMatch } from "./forgotten-index.ts";
import {
  deletedStatements,
  type SaidText,
  statementsOfTopic,
  unsaidStatements,
} from "./removed-statements.ts";
import { sharedPart } from "./same-statement.ts";
import { analyzeStatement } from "./statement-terms.ts";

/** What a store tells about statements that go and come back. */
export interface Forgetting {
  readonly find: (text: string) => readonly ForgottenMatch[];
  readonly forget: (input: {
    readonly statements: readonly string[];
    readonly slug?: string | undefined;
    readonly turns?: readonly SaidTurn[] | undefined;
    readonly agentSession?: string | undefined;
  }) => Promise<string | undefined>;
  readonly lift: (ids: readonly string[]) => Promise<unknown>;
  readonly liftMatches: (matches: readonly ForgottenMatch[]) => Promise<unknown>;
}

/** A turn of a past session. */
interface SaidTurn {
  readonly session: string;
  readonly byte: number;
  readonly text: string;
}

export interface WithForgettingOptions {
  /** The turns of these sessions, to exclude those that led to what is forgotten. */
  readonly turns?: ((sessions: readonly string[]) => AsyncIterable<SaidTurn>) | undefined;
}

/**
 * A store that remembers what was removed from it. A tombstone is written before the topic is removed: if the process is
 * killed in between, the topic is still there, and nothing comes back that was removed.
 */
export function withForgetting<Store extends TopicStore>(
  store: Store,
  forgotten: Forgetting,
  options: WithForgettingOptions = {},
): Store {
  const context: Context = { store, forgotten, ...options };
  return {
    ...store,
    write: async (input: WriteTopicInput) => await write(context, input),
    edit: async (input: EditTopicInput) => await edit(context, input),
    remove: async (input: RemoveTopicInput) => await remove(context, input),
    importTopics: async (input: ImportTopicsInput) => await importTopics(context, input),
    undo: async (input: UndoInput) => await undo(context, input),
  };
}

interface Context extends WithForgettingOptions {
  readonly store: TopicStore;
  readonly forgotten: Forgetting;
}

async function write(context: Context, input: WriteTopicInput): Promise<WriteTopicResult> {
  const { store } = context;
  const { name, author } = input;
  const isReplacing = input.ifMatch !== undefined || input.replace === true;
  const current = isReplacing ? (await store.read(name))?.topic : undefined;
  const said = allowedMatches(context, { author, current, text: input });
  // A new text for a topic replaces what it said; it takes something back only if it adds nothing.
  const gone =
    current === undefined || !isPart(input, current) ? [] : deletedStatements(current, input);
  return await forgetWhile(context, { author, slug: name, statements: gone }, async () => {
    const result = await store.write(input);
    const isDone = result.kind === "written";
    if (isDone) await context.forgotten.liftMatches(said);
    return { result, isDone };
  });
}

async function edit(context: Context, input: EditTopicInput): Promise<EditTopicResult> {
  const { store, forgotten } = context;
  const { name, author } = input;
  const after = await parseTopic(input.text);
  const current = (await store.read(name))?.topic;
  const said = allowedMatches(context, { author, current, text: after });
  // A repair by the doctor joins and renames; it takes nothing back.
  const isRepair = input.action === "fix" || current === undefined;
  const isDeletion = current !== undefined && (author.who === "person" || isPart(after, current));
  const gone = isRepair || !isDeletion ? [] : deletedStatements(current, after);
  return await forgetWhile(context, { author, slug: name, statements: gone }, async () => {
    const result = await store.edit(input);
    const isDone = result.kind === "edited";
    if (isDone) await forgotten.liftMatches(said);
    return { result, isDone };
  });
}

async function remove(context: Context, input: RemoveTopicInput): Promise<RemoveTopicResult> {
  const { name, author } = input;
  // It is still remembered, elsewhere.
  if (input.moved !== undefined) return await context.store.remove(input);
  const current = await context.store.read(name);
  const statements = current === undefined ? [] : statementsOfTopic(current.topic);
  const slug = current?.slug ?? name;
  return await forgetWhile(context, { author, slug, statements }, async () => {
    const result = await context.store.remove(input);
    return { result, isDone: result.kind === "removed" };
  });
}

/** What the user imports on purpose is wanted again. */
async function importTopics(
  { store, forgotten }: Context,
  input: ImportTopicsInput,
): Promise<ImportedTopics> {
  const result = await store.importTopics(input);
  if (input.isPreview === true || input.author.who !== "person") return result;
  const imported = input.files.filter((_, at) => result.topics[at]?.kind === "imported");
  const texts = await Promise.all(imported.map(({ text }) => saidIn(text)));
  await forgotten.liftMatches(texts.flat().flatMap(forgotten.find));
  return result;
}

async function undo(context: Context, input: UndoInput): Promise<UndoneChange> {
  const { store, forgotten } = context;
  const change = changeToUndo(await store.log(), input.id);
  const { added, removed } = await undoneStatements(change);
  const [file] = change?.files ?? [];
  const forget = { author: input.author, slug: file?.slug, statements: removed };
  return await forgetWhile(context, forget, async () => {
    const result = await store.undo(input);
    await forgotten.liftMatches(added.flatMap(forgotten.find));
    return { result, isDone: true };
  });
}

/** As the store finds it. If it finds another one because of a change in between, nothing is forgotten. */
function changeToUndo(changes: readonly Change[], id: string | undefined): Change | undefined {
  if (id === undefined) return undoableChanges(changes.toReversed())[0];
  return id === "" ? undefined : changes.find((change) => change.id.startsWith(id));
}

async function undoneStatements(change: Change | undefined): Promise<{
  readonly added: readonly string[];
  readonly removed: readonly string[];
}> {
  const files = change?.files ?? [];
  const before = (await Promise.all(files.map((file) => saidIn(file.before)))).flat();
  const after = (await Promise.all(files.map((file) => saidIn(file.after)))).flat();
  return { added: unsaidStatements(before, after), removed: unsaidStatements(after, before) };
}

async function saidIn(text: string | null): Promise<readonly string[]> {
  return text === null ? [] : statementsOfTopic(await parseTopic(text));
}

/** Whether a text says nothing that another one does not. */
function isPart(text: SaidText, whole: SaidText): boolean {
  const known = new Set(statementsOfTopic(whole));
  return statementsOfTopic(text).every((statement) => known.has(statement));
}

/**
 * The forgotten statements that a text brings back.
 * @throws MemoryError `FORGOTTEN` if that is not for the author to decide
 */
function allowedMatches(
  { forgotten }: Context,
  {
    author,
    current,
    text,
  }: {
    readonly author: Author;
    readonly current: SaidText | undefined;
    readonly text: SaidText;
  },
): readonly ForgottenMatch[] {
  const known = new Set(current === undefined ? [] : statementsOfTopic(current));
  const found = statementsOfTopic(text)
    .filter((statement) => !known.has(statement))
    .flatMap((statement) => forgotten.find(statement).map((match) => ({ statement, match })));
  const isUser = author.who === "person" || author.origin === "user";
  const refused = isUser
    ? undefined
    : found.find(({ match: { tombstone } }) => !isOwn(tombstone.agentSession, author));
  if (refused === undefined) return found.map(({ match }) => match);
  const day = refused.match.tombstone.at.slice(0, 10);
  const message = `the user forgot this on ${day}: ${JSON.stringify(refused.statement.slice(0, 200))}. It is saved again only if the user says it again. Leave it out, and do not work around this`;
  throw new MemoryError("FORGOTTEN", message);
}

/** An agent may move what it removed itself, without being asked to. */
function isOwn(agentSession: string | undefined, { session }: Author): boolean {
  return agentSession !== undefined && agentSession === session;
}

interface ForgetRequest {
  readonly author: Author;
  readonly slug: string | undefined;
  readonly statements: readonly string[];
}

/** Writes the tombstone, then changes the store; if that changes nothing, the tombstone goes as well. */
async function forgetWhile<Result>(
  context: Context,
  { author, slug, statements }: ForgetRequest,
  change: () => Promise<{ readonly result: Result; readonly isDone: boolean }>,
): Promise<Result> {
  const { forgotten } = context;
  const gone = slug === undefined ? [] : await unsaidElsewhere(context.store, slug, statements);
  if (gone.length === 0 || slug === undefined) return (await change()).result;
  const turns = await turnsThatSaid(context, slug, gone);
  const isAgent = author.who === "agent" && author.origin !== "user";
  const agentSession = isAgent ? author.session : undefined;
  const id = await forgotten.forget({ statements: gone, slug, turns, agentSession });
  const takeBack = async (): Promise<unknown> =>
    id === undefined ? undefined : await forgotten.lift([id]);
  try {
    const { result, isDone } = await change();
    if (!isDone) await takeBack();
    return result;
  } catch (error) {
    await takeBack();
    throw error;
  }
}

/** More topics than a store usually has. */
const MAX_TOPICS = 2_000;

/** Without what another topic still says: then it only moved. */
async function unsaidElsewhere(
  store: TopicStore,
  slug: string,
  statements: readonly string[],
): Promise<readonly string[]> {
  if (statements.length === 0) return [];
  const { topics } = await store.list();
  const others = topics.map((topic) => topic.slug).filter((other) => other !== slug);
  const texts = await store.readMany(others.slice(0, MAX_TOPICS));
  let left = statements;
  for (const { topic } of texts.values()) left = unsaidStatements(left, statementsOfTopic(topic));
  return left;
}

/** In the session that wrote a topic, a turn with this much of a statement is where it comes from. */
const MIN_SOURCE = 0.5;
const MAX_TURNS = 200;

async function turnsThatSaid(
  { store, turns }: Context,
  slug: string,
  statements: readonly string[],
): Promise<readonly SaidTurn[]> {
  if (turns === undefined) return [];
  const sessions = new Set((await store.log(slug)).flatMap(({ session }) => session ?? []));
  const terms = statements.map(analyzeStatement);
  const found: SaidTurn[] = [];
  for await (const turn of turns([...sessions])) {
    const said = analyzeStatement(turn.text);
    if (terms.some((one) => sharedPart(one, said) >= MIN_SOURCE)) found.push(turn);
    if (found.length >= MAX_TURNS) break;
  }
  return found;
}
