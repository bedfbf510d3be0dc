import { spellCommands, terminalSafeLine } from "@caliban/common";
import type { Finding } from "@caliban/memory";
import { diagnoseTopics, repairTopics } from "@caliban/memory/node";
import { createStyle } from "../../../cli/style.ts";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import type { Host } from "../../../host.ts";
import { output } from "../output.ts";
import { openTopics, openTopicsForWriting, recordExternalChanges } from "./open-topics.ts";
import { orphanedRules } from "./orphaned-rules.ts";
import { findingJson } from "./topic-output.ts";
import { findUnusedTopics } from "./unused-topics.ts";

/** `caliban memory doctor [--fix]`: lists problems of the topics. The exit code is 1 while there are any, for CI. */
export async function checkTopics(invocation: Invocation): Promise<CommandResult> {
  return invocation.options["fix"] === true ? await fix(invocation) : await check(invocation);
}

async function check(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const topics = await openTopics(invocation);
  await recordExternalChanges(invocation, topics);
  const findings = await diagnoseTopics(topics);
  const fixableCount = findings.filter(({ isFixable }) => isFixable).length;
  const hint =
    fixableCount === 0
      ? ""
      : `Fix ${fixableCount} of ${findings.length} with: ${host.command(`memory doctor --fix${topics.userFlag}`)}\n`;
  const text = findings.map((finding) => renderFinding(finding, host)).join("") + hint;
  // Not problems: the rules stay in force, as they should.
  const orphaned = await orphanedRules(topics, host);
  // Not problems either: an old topic may still be right.
  const unused = await findUnusedTopics(topics, host);
  const notes = [...orphaned, ...unused.lines].map((line) => `note: ${line}\n`).join("");
  return output(invocation, {
    data: {
      findings: findings.map(findingJson),
      ...(orphaned.length === 0 ? {} : { enforced: orphaned }),
      ...(unused.slugs.length === 0 ? {} : { unused: unused.slugs }),
    },
    text: (text || NO_PROBLEMS) + notes,
    stderr: topics.warnings,
    exitCode: findings.length === 0 ? EXIT.done : EXIT.failed,
  });
}

async function fix(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const topics = await openTopicsForWriting(invocation);
  const repaired = await repairTopics(topics);
  const style = createStyle(host.hasColor("stdout"));
  const lines = repaired.map(({ finding, isFixed }) => {
    const label = isFixed ? style.good("fixed      ") : style.bad("not fixed  ");
    const { fixedMessage: message } = finding;
    const isReworded = isFixed && message !== undefined;
    const shown = isReworded ? { ...finding, message, parts: undefined } : finding;
    return `${label}${renderFinding(shown, host)}`;
  });
  const json = repaired.map(({ finding, isFixed }) => ({ finding: findingJson(finding), isFixed }));
  return output(invocation, {
    data: { findings: json },
    text: lines.join("") || NO_PROBLEMS,
    stderr: topics.warnings,
    exitCode: repaired.every(({ isFixed }) => isFixed) ? EXIT.done : EXIT.failed,
  });
}

const NO_PROBLEMS = "no problems found\n";

function renderFinding(finding: Finding, { command, hasColor }: Host): string {
  const { code, path, line } = finding;
  const { heading } = createStyle(hasColor("stdout"));
  const location = line === undefined ? path : `${path}:${line}`;
  const message = terminalSafeLine(spellCommands(finding, command));
  return `${heading(terminalSafeLine(location))}: ${code}: ${message}\n`;
}
