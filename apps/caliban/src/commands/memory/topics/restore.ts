import { terminalSafeLine } from "@caliban/common";
import { type Change, parseTopic } from "@caliban/memory";
import type { Tombstone } from "@caliban/memory/forgotten";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { formatCount } from "../../format-count.ts";
import { renderNamedRows } from "../../render-rows.ts";
import { output } from "../output.ts";
import {
  openTombstones,
  type OpenTopics,
  openTopics,
  openTopicsForWriting,
  USER,
} from "./open-topics.ts";

/** `caliban memory restore [SLUG|ID]`: brings back what was removed or forgotten; without a name, lists what can be. */
export async function restoreMemory(invocation: Invocation): Promise<CommandResult> {
  const [name] = invocation.operands;
  if (name === undefined) return await listRestorable(invocation);
  const topics = await openTopicsForWriting(invocation);
  const { removed, tombstones } = await findRestorable(topics);
  const topic = removed.find(({ slug, id }) => slug === name || id.startsWith(name));
  if (topic !== undefined) return await restoreTopic(invocation, topics, topic);
  const named = tombstones.filter(({ slug }) => slug === name);
  if (await isPurged(topics, name)) return wasPurged(invocation, topics, named[0]?.id);
  const own = [...named, ...tombstones.filter(({ id }) => id.startsWith(name))];
  if (own.length > 0) return await liftTombstones(invocation, topics, own);
  return unknownName(invocation, topics);
}

/** A topic that is gone, and the change that removed it. */
interface RemovedTopic {
  readonly slug: string;
  readonly id: string;
  readonly at: string;
  readonly description: string;
}

interface Restorable {
  readonly removed: readonly RemovedTopic[];
  readonly tombstones: readonly Tombstone[];
}

/** What `restore` can bring back. */
export async function findRestorable(topics: OpenTopics): Promise<Restorable> {
  const { store } = topics;
  const { topics: present } = await store.list();
  const seen = new Set<string>(present.map(({ slug }) => slug));
  const removed: RemovedTopic[] = [];
  for (const change of await store.log()) {
    for (const { slug, before, after } of change.files) {
      if (seen.has(slug)) continue;
      seen.add(slug);
      if (after !== null || before === null || !isRemoval(change)) continue;
      const { description } = await parseTopic(before);
      removed.push({ slug, id: change.id, at: change.at, description });
    }
  }
  const gone = new Set(removed.map(({ slug }) => slug));
  const all = (await openTombstones(topics)).list();
  const tombstones = all.filter(({ slug }) => slug === undefined || !gone.has(slug));
  return { removed, tombstones };
}

/** The old name of a renamed topic has nothing to restore. */
function isRemoval({ action, isErased }: Change): boolean {
  return action !== "rename" && isErased !== true;
}

async function listRestorable(invocation: Invocation): Promise<CommandResult> {
  const topics = await openTopics(invocation);
  const { removed, tombstones } = await findRestorable(topics);
  const rows = [
    ...removed.map(({ id, at, slug, description }) => [id, day(at), slug, description]),
    ...tombstones.map(({ id, at, slug, statements }) => [
      id,
      day(at),
      slug ?? "",
      formatCount(statements.length, "forgotten statement"),
    ]),
  ];
  const isNothing = rows.length === 0;
  return output(invocation, {
    data: {
      topics: removed,
      forgotten: tombstones.map(({ id, at, slug, statements }) => ({
        id,
        at,
        slug,
        statements: statements.length,
      })),
    },
    text: renderNamedRows(
      rows.map((row) => row.map(terminalSafeLine)),
      invocation.host,
    ).join(""),
    stderr: isNothing ? [...topics.warnings, "nothing to restore"] : topics.warnings,
    exitCode: isNothing ? EXIT.nothingFound : EXIT.done,
  });
}

function day(at: string): string {
  return at.slice(0, 10);
}

async function restoreTopic(
  invocation: Invocation,
  topics: OpenTopics,
  { slug, id }: RemovedTopic,
): Promise<CommandResult> {
  const { change } = await topics.store.undo({
    id,
    force: true,
    allowSecrets: invocation.options["allowSecrets"] === true,
    author: USER,
  });
  const forgotten = await openTombstones(topics);
  const own = forgotten.list().filter((tombstone) => tombstone.slug === slug);
  await forgotten.lift(own.map((tombstone) => tombstone.id));
  return output(invocation, {
    data: { kind: "restored", slug, change },
    text: `restored ${terminalSafeLine(slug)}\n`,
    stderr: topics.warnings,
  });
}

async function liftTombstones(
  invocation: Invocation,
  topics: OpenTopics,
  tombstones: readonly Tombstone[],
): Promise<CommandResult> {
  const lifted = await (await openTombstones(topics)).lift(tombstones.map(({ id }) => id));
  const statements = tombstones.reduce((sum, one) => sum + one.statements.length, 0);
  return output(invocation, {
    data: { kind: "lifted", lifted },
    text: `${formatCount(statements, "forgotten statement")} may be learned again\n`,
    stderr: topics.warnings,
  });
}

async function isPurged({ store }: OpenTopics, name: string): Promise<boolean> {
  const changes = await store.log();
  return changes.some(
    ({ isErased, files }) => isErased === true && files.some(({ slug }) => slug === name),
  );
}

function wasPurged(
  invocation: Invocation,
  topics: OpenTopics,
  tombstone: string | undefined,
): CommandResult {
  const { command } = invocation.host;
  const hint =
    tombstone === undefined
      ? ""
      : `. To let it be learned again, run: ${command(`memory restore ${tombstone}`)}`;
  return output(invocation, {
    data: { kind: "purged" },
    text: "",
    stderr: [...topics.warnings, `it was purged, so it cannot be restored${hint}`],
    exitCode: EXIT.nothingFound,
  });
}

function unknownName(invocation: Invocation, topics: OpenTopics): CommandResult {
  const shown = JSON.stringify(invocation.operands[0]);
  const list = invocation.host.command("memory restore");
  const message = `nothing to restore with the name or id ${shown}. To list all, run: ${list}`;
  return output(invocation, {
    data: { kind: "missing" },
    text: "",
    stderr: [...topics.warnings, message],
    exitCode: EXIT.nothingFound,
  });
}
