import { chmodSync, statSync } from "node:fs";
import { terminalSafe, terminalSafeJson } from "@caliban/common";
import {
  errorCode,
  readTextFile,
  realPathIfExists,
  type TextFile,
  writeFileAtomic,
} from "@caliban/common/node";
import type { CommandResult } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { renderBlock, replaceBlock } from "./agents-md-block.ts";
import type { ExportJob } from "./export.ts";
import { MAX_DOCUMENT_BYTES } from "./sources/read-foreign.ts";

/** A document that agents read. In a file, only the part between our lines is ours. */
export async function exportToAgentsMd(job: ExportJob): Promise<CommandResult> {
  const { invocation, files, output, warnings } = job;
  const topics = files.topics.map(({ slug, text, topic }) => ({
    name: slug,
    description: topic.description,
    text,
  }));
  const block = renderBlock(topics);
  if (output !== undefined) return await writeInto(job, output, block);
  const document = invocation.host.isTerminal ? terminalSafe(block) : block;
  const stdout = invocation.json ? `${terminalSafeJson({ document: block })}\n` : document;
  return { stdout, stderr: warnings, exitCode: EXIT.done };
}

async function writeInto(
  { topics, warnings }: ExportJob,
  output: string,
  block: string,
): Promise<CommandResult> {
  // A link stays one: what it leads to is written.
  const path = realPathIfExists(output) ?? output;
  const file = readTextFile(path, MAX_DOCUMENT_BYTES);
  const before = file.kind === "missing" ? "" : wholeText(file);
  const after = before === undefined ? undefined : replaceBlock(before, block);
  const failed = (why: string): CommandResult => ({
    stdout: "",
    stderr: `${warnings}caliban: ${topics.shown(path)} was not written: ${why}\n`,
    exitCode: EXIT.failed,
  });
  if (before === undefined) return failed("it cannot be read as a text; name another file");
  if (after === undefined) {
    return failed(
      "the lines between which caliban writes are not one beginning and one end; mend or remove them",
    );
  }
  if (after === before) {
    return {
      stdout: `${topics.shown(path)} is up to date\n`,
      stderr: warnings,
      exitCode: EXIT.done,
    };
  }
  try {
    await replaceKeepingMode(path, after);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return failed(`the system says ${code}`);
  }
  return { stdout: `wrote ${topics.shown(path)}\n`, stderr: warnings, exitCode: EXIT.done };
}

/** The file may be one of a repository, and is for others to read, then. */
async function replaceKeepingMode(path: string, text: string): Promise<void> {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  await writeFileAtomic(path, text);
  if (mode !== undefined) chmodSync(path, mode & 0o777);
}

function wholeText(file: TextFile): string | undefined {
  if (file.kind !== "text" || file.readBytes < file.fileBytes) return undefined;
  return file.invalidAt === undefined ? file.text : undefined;
}
