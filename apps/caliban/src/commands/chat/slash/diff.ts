import { terminalSafe, terminalSafeLine } from "@caliban/common";
import { runUntrustedGit } from "@caliban/common/node";
import { formatCount } from "../../format-count.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

const MAX_LINES = 2_000;
const MAX_BYTES = 8 * 1024 * 1024;

/** `/diff`: what changed in the work tree since the last commit, and which files are new. */
export async function diff({ conversation, invocation }: SlashInput): Promise<SlashResult> {
  const { workspaceRoot: directory } = conversation.receipt();
  const { env } = invocation.host;
  const git = async (...command: readonly string[]): ReturnType<typeof runUntrustedGit> =>
    await runUntrustedGit({ directory, env, command, maxOutputBytes: MAX_BYTES });
  const filters = await git("config", "--includes", "--name-only", "--get-regexp", "^filter\\.");
  const quiet = [...new Set(filters.output.split("\n").flatMap(withoutFilter))].flatMap((value) => [
    "-c",
    value,
  ]);
  const head = await git("rev-parse", "--verify", "--quiet", "HEAD");
  const changed = await git(...quiet, "diff", ...PLAIN, ...(head.succeeded ? ["HEAD"] : []), "--");
  if (!changed.succeeded) return { kind: "error", text: NO_DIFF };
  const added = await git("ls-files", "--others", "--exclude-standard", "-z");
  const names = added.output.split("\0").filter((name) => name !== "");
  const text = [limited(changed.output), newFiles(names)].filter((part) => part !== "").join("\n");
  return { kind: "text", text: text === "" ? "Nothing changed since the last commit." : text };
}

/** No program of the repository's configuration runs. */
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all"];

const NO_DIFF =
  "git cannot show a diff here. Is this a git repository, and is the diff small enough?";

/** Turns off a filter that the repository configures, because git would run it to compare a file. */
function withoutFilter(key: string): readonly string[] {
  const [, name] = /^(filter\..+)\.\w+$/.exec(key) ?? [];
  if (name === undefined) return [];
  return ["clean=", "process=", "required=false"].map((setting) => `${name}.${setting}`);
}

function limited(output: string): string {
  const lines = terminalSafe(output.trimEnd()).split("\n");
  if (lines.length <= MAX_LINES) return lines.join("\n");
  const more = formatCount(lines.length - MAX_LINES, "more line");
  return [...lines.slice(0, MAX_LINES), `… ${more}; see all with: git diff HEAD`].join("\n");
}

const MAX_NAMES = 50;

function newFiles(names: readonly string[]): string {
  if (names.length === 0) return "";
  const shown = names.slice(0, MAX_NAMES).map((name) => `  ${terminalSafeLine(name)}`);
  const more = names.length - shown.length;
  return ["New files:", ...shown, ...(more > 0 ? [`  and ${more} more`] : [])].join("\n");
}
