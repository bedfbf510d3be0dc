import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { formatAge, type TopicSummary } from "@caliban/memory";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { openTopics } from "./open-topics.ts";
import { topicListJson } from "./topic-json.ts";

/** `caliban memory list`: one line a topic, newest first. */
export async function listTopics(invocation: Invocation): Promise<CommandResult> {
  const { store, directory, shown, warnings } = await openTopics(invocation);
  const list = await store.list();
  const { topics, problems } = list;
  const unread = problems
    .map(({ message }) => `caliban: ${terminalSafeLine(message)}\n`)
    .join("");
  const stderr = warnings + unread;
  if (invocation.json) {
    return {
      stdout: `${terminalSafeJson({ directory, ...topicListJson(list) })}\n`,
      stderr,
      exitCode: EXIT.done,
    };
  }
  const nowMs = invocation.host.now();
  const rows = topics.map((topic) => rowOf(topic, nowMs));
  const stdout = rows.length === 0 ? `no topics yet in ${shown(directory)}\n` : renderRows(rows);
  return { stdout, stderr, exitCode: EXIT.done };
}

function rowOf(
  { slug, type, updatedMs, description }: TopicSummary,
  nowMs: number,
): readonly string[] {
  const about = description === "" ? "(no description)" : terminalSafeLine(description);
  return [terminalSafeLine(slug), type ?? "untyped", formatAge(updatedMs, nowMs), about];
}

const WIDEST_COLUMN = 40;

/** Columns as wide as their widest cell, up to a limit; the last one is not padded. */
export function renderRows(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.min(WIDEST_COLUMN, Math.max(...rows.map((row) => (row[column] ?? "").length))),
  );
  return rows
    .map(
      (row) =>
        `  ${row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join("  ")}\n`,
    )
    .join("");
}
