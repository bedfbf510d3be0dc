import { resolve } from "node:path";
import { expandTilde, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { readStoreFiles, type StoreFiles } from "@caliban/memory/node";
import { type CommandResult, type Invocation, textOption } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { UsageError } from "../../../usage-error.ts";
import { type OpenTopics, openTopics } from "../topics/open-topics.ts";
import { secretsIn } from "./export-secrets.ts";

/** What one export is made of. */
export interface ExportJob {
  readonly invocation: Invocation;
  readonly topics: OpenTopics;
  readonly files: StoreFiles;
  /** The path after --output, in full. */
  readonly output: string | undefined;
  /** What is to be said on stderr, whatever becomes of it. */
  readonly warnings: string;
}

type Form = "claude" | "agents-md" | "json" | "tar";

/** Each form is loaded when it is asked for. */
const FORMS: Readonly<Record<Form, () => Promise<(job: ExportJob) => Promise<CommandResult>>>> = {
  claude: async () => (await import("./export-claude.ts")).exportToClaude,
  "agents-md": async () => (await import("./export-agents-md.ts")).exportToAgentsMd,
  json: async () => (await import("./export-json.ts")).exportToJson,
  tar: async () => (await import("./export-tar.ts")).exportToTar,
};

/** `caliban memory export`: all topics and the index, in a form that others read. */
export async function exportMemory(invocation: Invocation): Promise<CommandResult> {
  const form = parseForm(textOption(invocation, "to"));
  const output = outputPath(invocation);
  const topics = await openTopics(invocation);
  const files = await readStoreFiles(topics.directory);
  const problems = files.problems.map((sentence) => `caliban: ${terminalSafeLine(sentence)}\n`);
  const stderr = topics.warnings + problems.join("");
  if (files.topics.length === 0 && files.index === null) {
    const nothing = `caliban: there is nothing to export in ${topics.shown(topics.directory)}\n`;
    return { stdout: "", stderr: stderr + nothing, exitCode: EXIT.nothingFound };
  }
  const secrets = await secretsIn(files);
  const said = secrets.map((sentence) => `caliban: ${terminalSafeLine(sentence)}\n`).join("");
  if (secrets.length > 0 && invocation.options["allowSecrets"] !== true) {
    const refusal = `caliban: nothing was exported; \`caliban memory doctor --fix\` takes secrets out, and --allow-secrets exports them\n`;
    return { stdout: "", stderr: stderr + said + refusal, exitCode: EXIT.failed };
  }
  const run = await FORMS[form]();
  const result = await run({ invocation, topics, files, output, warnings: stderr + said });
  return files.problems.length > 0 ? { ...result, exitCode: EXIT.failed } : result;
}

/** @throws UsageError */
function parseForm(to: string | undefined): Form {
  const names = Object.keys(FORMS).join(", ");
  if (to === undefined) throw new UsageError(`--to is needed: ${names}`);
  if (to === "claude" || to === "agents-md" || to === "json" || to === "tar") return to;
  throw new UsageError(`--to takes ${names}, and not ${JSON.stringify(to)}`);
}

/** @throws UsageError */
function outputPath(invocation: Invocation): string | undefined {
  const { host } = invocation;
  const output = textOption(invocation, "output");
  if (output === undefined) return undefined;
  if (output === "") throw new UsageError("--output needs a path");
  return resolve(host.cwd ?? "/", expandTilde(pathStyleOf(host.platform), output, host.home));
}
