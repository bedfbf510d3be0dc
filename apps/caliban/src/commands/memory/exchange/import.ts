import { resolve, sep } from "node:path";
import { expandTilde, pathStyleOf, terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { type CommandResult, type Invocation, textOption } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { type OpenTopics, openTopicsToWrite, PERSON } from "../topics/open-topics.ts";
import { indexRow, instructionRows, topicRows } from "./import-rows.ts";
import { type ImportRow, isWanted, renderImport } from "./import-table.ts";
import { importInstructions, type Instructions, planInstructions } from "./instructions.ts";
import { findSource, parseSourceWish, type SourceWish } from "./sources/find-source.ts";
import type { ForeignSource } from "./sources/foreign-source.ts";

/** `caliban memory import`: shows what would be taken over, then does it; nothing is overwritten. */
export async function importMemory(invocation: Invocation): Promise<CommandResult> {
  const wish = wishOf(invocation);
  const topics = await openTopicsToWrite(invocation);
  const source = await sourceOf(invocation, topics, wish);
  const job: Job = {
    invocation,
    topics,
    source: invocation.options["all"] === true ? withAll(source) : source,
    instructions: planInstructions(invocation.host, topics.locations.globalFile, source.instructions),
  };
  const plan = await carryOut(job, true);
  if (plan.rows.length === 0) return nothingToImport(job);
  const wanted = plan.rows.filter(isWanted).length;
  const isDone = await isConfirmed(invocation, renderAll(job, plan.rows), wanted);
  // Who said no has just seen the table.
  const wasShown = !isDone && wanted > 0 && invocation.host.isInteractive();
  const { rows, change } = isDone ? await carryOut(job, false) : plan;
  const undo =
    change === undefined ? "" : `\`caliban memory undo ${change}\` takes the topics back.\n`;
  const end = isDone ? undo : howToDoIt(invocation, wanted);
  return {
    stdout: invocation.json
      ? `${terminalSafeJson(forPrograms(job, rows, { isDone, change }))}\n`
      : (wasShown ? "" : renderAll(job, rows)) + end,
    stderr: topics.warnings,
    exitCode: rows.some(({ outcome }) => outcome === "not copied") ? EXIT.failed : EXIT.done,
  };
}

interface Job {
  readonly invocation: Invocation;
  readonly topics: OpenTopics;
  readonly source: ForeignSource;
  readonly instructions: Instructions | undefined;
}

interface Outcome {
  readonly rows: readonly ImportRow[];
  readonly change?: string | undefined;
}

/** Does it, or finds out what would be done by all that doing it checks, too. */
async function carryOut(job: Job, isPreview: boolean): Promise<Outcome> {
  const { topics, source, instructions } = job;
  const { files, index, agent } = source;
  if (!isPreview && instructions !== undefined) await importInstructions(instructions);
  const usable = files.flatMap((file) =>
    "text" in file && file.leftOut === undefined ? [file] : [],
  );
  const indexText = index !== undefined && "text" in index ? index.text : undefined;
  const isSomething = usable.length > 0 || indexText !== undefined;
  const imported = isSomething
    ? await topics.store.importTopics({
        files: usable,
        agent: agent === "agents-md" ? "agents" : agent,
        index: indexText,
        isPreview,
        author: PERSON,
      })
    : { topics: [] };
  const rows = [
    ...instructionRows(instructions, { isPreview, shown: topics.shown }),
    ...topicRows(files, imported.topics, isPreview),
    ...indexRow(index, imported.index, isPreview),
  ];
  return { rows, change: imported.change };
}

/** @throws UsageError */
function wishOf(invocation: Invocation): SourceWish {
  const { host, operands } = invocation;
  const { agent, path } = parseSourceWish(textOption(invocation, "from"), operands[0]);
  if (path === undefined) return { agent, path };
  const expanded = expandTilde(pathStyleOf(host.platform), path, host.home);
  return { agent, path: resolve(host.cwd ?? "/", expanded) };
}

async function sourceOf(
  { host }: Invocation,
  { project, projectPath }: OpenTopics,
  { agent, path }: SourceWish,
): Promise<ForeignSource> {
  return await findSource(agent, { host, workspace: project.workspace, projectPath, path });
}

/** `--all`: also what would be left out. */
function withAll(source: ForeignSource): ForeignSource {
  const files = source.files.map((file) =>
    "text" in file ? { ...file, leftOut: undefined } : file,
  );
  return { ...source, files };
}

function renderAll({ source, topics }: Job, rows: readonly ImportRow[]): string {
  const place = source.place ?? source.instructions[0];
  const from = place === undefined ? source.agent : topics.shown(place);
  const notes = notesOf(source).map((note) => `  ${terminalSafeLine(note)}\n`);
  const shown = (path: string): string =>
    topics.shown(
      source.place !== undefined && path.startsWith(`${source.place}${sep}`)
        ? path.slice(source.place.length + 1)
        : path,
    );
  return `from ${from}\n${renderImport(rows, shown)}${notes.join("")}`;
}

function notesOf({ files, notes, whyLeftOut }: ForeignSource): readonly string[] {
  const isLeftOut = files.some((file) => "text" in file && file.leftOut !== undefined);
  return isLeftOut && whyLeftOut !== undefined ? [...notes, whyLeftOut] : notes;
}

function forPrograms(
  { source }: Job,
  rows: readonly ImportRow[],
  { isDone, change }: { readonly isDone: boolean; readonly change: string | undefined },
): object {
  const { agent, place } = source;
  return { agent, source: place, isDone, change, topics: rows, notes: notesOf(source) };
}

function howToDoIt(invocation: Invocation, wanted: number): string {
  if (wanted === 0) return "Nothing was copied: nothing of it is new here.\n";
  const words = [textOption(invocation, "from"), ...invocation.operands].flatMap((word) =>
    word === undefined ? [] : [/^[\w./~-]+$/.test(word) ? word : JSON.stringify(word)],
  );
  const from = textOption(invocation, "from") === undefined ? "" : "--from ";
  const flags = words.length === 0 ? "" : `${from}${terminalSafeLine(words.join(" "))} `;
  const all = invocation.options["all"] === true ? "--all " : "";
  return `Nothing was copied. \`caliban memory import ${flags}${all}--yes\` copies ${wanted}.\n`;
}

function nothingToImport({ invocation, topics, source }: Job): CommandResult {
  const { place, isThere, agent, notes, advice = "name a directory with --from" } = source;
  const what = isThere ? "" : ", which is not there";
  const where = place === undefined ? "" : ` in ${topics.shown(place)}${what}`;
  const said = notes.map((note) => `caliban: ${terminalSafeLine(note)}\n`).join("");
  return {
    stdout: invocation.json ? `${terminalSafeJson({ agent, source: place, topics: [] })}\n` : "",
    stderr: `${topics.warnings}${said}caliban: no topics were found${where}; ${terminalSafeLine(advice)}\n`,
    exitCode: EXIT.nothingFound,
  };
}

async function isConfirmed(
  { host, options, json }: Invocation,
  plan: string,
  wanted: number,
): Promise<boolean> {
  if (wanted === 0) return false;
  if (options["yes"] === true) return true;
  if (json || !host.isInteractive()) return false;
  host.stderr(plan);
  return await host.confirm(`Take over ${wanted}?`);
}
