import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { findSecrets, redactSecrets } from "@caliban/common/secrets";
import type { Finding } from "@caliban/memory";
import { diagnoseDirectory, type RepairedFinding, repairStore } from "@caliban/memory/node";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { draftsDirectory } from "./edit/drafts.ts";
import { noticeOthers } from "./notice-others.ts";
import { openTopics, openTopicsToWrite } from "./open-topics.ts";
import { findingJson } from "./topic-json.ts";

/** `caliban memory doctor [--fix]`: a list of what is wrong, and an exit code that CI understands. */
export async function examineMemory(invocation: Invocation): Promise<CommandResult> {
  return invocation.options["fix"] === true ? await fix(invocation) : await examine(invocation);
}

async function examine(invocation: Invocation): Promise<CommandResult> {
  const topics = await openTopics(invocation);
  const { store, directory, warnings } = topics;
  await noticeOthers(invocation, topics);
  const places = { directory, draftsDirectory: draftsDirectory(topics) };
  const findings = await diagnoseDirectory({ store, ...places, findSecrets });
  const fixable = findings.filter(({ isFixable }) => isFixable).length;
  const hint = fixable === 0 ? "" : `\`caliban memory doctor --fix\` mends ${fixable} of these.\n`;
  const text =
    findings.length === 0 ? "nothing is wrong\n" : findings.map(renderFinding).join("") + hint;
  return {
    stdout: invocation.json ? `${terminalSafeJson({ findings: findings.map(findingJson) })}\n` : text,
    stderr: warnings,
    exitCode: findings.length === 0 ? EXIT.done : EXIT.failed,
  };
}

async function fix(invocation: Invocation): Promise<CommandResult> {
  const topics = await openTopicsToWrite(invocation);
  const { store, directory, warnings } = topics;
  const places = { directory, draftsDirectory: draftsDirectory(topics) };
  const fixed = await repairStore({ store, ...places, findSecrets, redact });
  const left = fixed.filter(({ isFixed }) => !isFixed);
  const text =
    fixed.length === 0
      ? "nothing is wrong\n"
      : fixed
          .map(
            ({ finding, isFixed }) => `${isFixed ? "fixed  " : "left   "}${renderFinding(finding)}`,
          )
          .join("");
  return {
    stdout: invocation.json ? `${terminalSafeJson({ findings: fixed.map(fixedJson) })}\n` : text,
    stderr: warnings,
    exitCode: left.length === 0 ? EXIT.done : EXIT.failed,
  };
}

function fixedJson({ finding, isFixed }: RepairedFinding): object {
  return { finding: findingJson(finding), isFixed };
}

async function redact(text: string): Promise<string> {
  return (await redactSecrets(text)).text;
}

function renderFinding({ code, path, line, message }: Finding): string {
  const place = line === undefined ? path : `${path}:${line}`;
  return `${terminalSafeLine(place)}: ${code}: ${terminalSafeLine(message)}\n`;
}
