import { isUtf8 } from "node:buffer";
import { terminalSafe, terminalSafeJson } from "@caliban/common";
import {
  findExportSecrets,
  packTar,
  readStoreFiles,
  renderAgentsMd,
  type StoreFiles,
  toMemoryJson,
  updateAgentsMd,
} from "@caliban/memory/exchange";
import { type CommandResult, type Invocation, textOption } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { UsageError } from "../../../usage-error.ts";
import { outputPath, writeOutputFile } from "../../output-file.ts";
import { type OpenTopics, openTopics } from "../topics/open-topics.ts";
import { exportToClaude } from "./export-to-claude.ts";

export interface ExportJob {
  readonly invocation: Invocation;
  readonly topics: OpenTopics;
  readonly files: StoreFiles;
  /** The absolute path of `--output`. */
  readonly output: string | undefined;
  /** Printed on stderr, whatever the result. */
  readonly warnings: readonly string[];
}

const FORMATS = {
  claude: exportToClaude,
  "agents-md": exportToAgentsMd,
  json: exportToJson,
  tar: exportToTar,
} satisfies Record<string, (job: ExportJob) => Promise<CommandResult>>;

/** `caliban memory export`: all topics and the index, in a format that other programs read. */
export async function exportMemory(invocation: Invocation): Promise<CommandResult> {
  const format = parseFormat(textOption(invocation, "to"));
  const output = outputPath(invocation);
  const topics = await openTopics(invocation);
  const files = await readStoreFiles(topics.directory);
  const stderr = [...topics.warnings, ...files.problems.map(({ message }) => message)];
  if (files.topics.length === 0 && files.index === null) {
    const message = `nothing to export in ${topics.displayPath(topics.directory)}`;
    return { stdout: "", stderr: [...stderr, message], exitCode: EXIT.nothingFound };
  }
  const secrets = await findExportSecrets(files);
  const warnings = [
    ...stderr,
    ...secrets.map(({ path, line, message }) => `${path}:${line}: ${message}`),
  ];
  if (secrets.length > 0 && invocation.options["allowSecrets"] !== true) {
    const fix = invocation.host.command("memory doctor --fix");
    const refusal = `nothing was exported. Remove the secrets with: ${fix}, or pass --allow-secrets`;
    return { stdout: "", stderr: [...warnings, refusal], exitCode: EXIT.failed };
  }
  const result = await FORMATS[format]({ invocation, topics, files, output, warnings });
  return files.problems.length > 0 ? { ...result, exitCode: EXIT.failed } : result;
}

/** @throws UsageError */
function parseFormat(to: string | undefined): keyof typeof FORMATS {
  const names = Object.keys(FORMATS).join(", ");
  if (to === undefined) throw new UsageError(`--to is required: one of ${names}`);
  if (to === "claude" || to === "agents-md" || to === "json" || to === "tar") return to;
  throw new UsageError(`--to must be one of ${names}, not ${JSON.stringify(to)}`);
}

async function exportToAgentsMd(job: ExportJob): Promise<CommandResult> {
  const { invocation, topics, files, output, warnings } = job;
  if (output === undefined) {
    const document = renderAgentsMd(files);
    const text = invocation.host.isTerminal ? terminalSafe(document) : document;
    const stdout = invocation.json ? `${terminalSafeJson({ document })}\n` : text;
    return { stdout, stderr: warnings, exitCode: EXIT.done };
  }
  const updated = await updateAgentsMd(output, files);
  const path = topics.displayPath(updated.path);
  if (updated.kind === "refused") {
    const stderr = [...warnings, `cannot write ${path}: ${updated.problem.message}`];
    return { stdout: "", stderr, exitCode: EXIT.failed };
  }
  const stdout = updated.kind === "unchanged" ? `${path} is up to date\n` : `wrote ${path}\n`;
  return { stdout, stderr: warnings, exitCode: EXIT.done };
}

async function exportToJson(job: ExportJob): Promise<CommandResult> {
  const { invocation, topics, files } = job;
  const { projectPath, store } = topics;
  const changes = await store.log();
  const memory = toMemoryJson({ files, changes, projectPath, nowMs: invocation.host.now() });
  return await printOrWrite(job, `${terminalSafeJson(memory)}\n`);
}

async function exportToTar(job: ExportJob): Promise<CommandResult> {
  const { invocation, files, output } = job;
  if (output === undefined && invocation.host.isTerminal)
    throw new UsageError(
      "cannot print a tar file to a terminal; add --output notes.tar, or use a pipe",
    );
  const bytes = Buffer.from(await packTar(files));
  // Topics are valid UTF-8 and everything else in the archive is ASCII, so it can be printed as text.
  if (!isUtf8(bytes)) throw new Error("the tar file is not valid UTF-8");
  return await printOrWrite(job, bytes.toString("utf8"));
}

async function printOrWrite(
  { invocation, output, warnings }: ExportJob,
  text: string,
): Promise<CommandResult> {
  if (output === undefined) return { stdout: text, stderr: warnings, exitCode: EXIT.done };
  return await writeOutputFile(invocation, { path: output, text, stderr: warnings });
}
