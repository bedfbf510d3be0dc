import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { isTopicType, TOPIC_TYPES, type TopicType, type WriteTopicResult } from "@caliban/memory";
import { type CommandResult, type Invocation, textOption } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { UsageError } from "../../../usage-error.ts";
import { openTopicsToWrite, PERSON } from "./open-topics.ts";
import { writeResultJson } from "./topic-json.ts";

/** `caliban memory write SLUG`: the same way as the tool's, with the text from stdin. */
export async function writeTopic(invocation: Invocation): Promise<CommandResult> {
  const { host, options } = invocation;
  const [name = ""] = invocation.operands;
  const [type, description] = [typeOf(invocation), textOption(invocation, "description")];
  if (description === undefined)
    throw new UsageError("--description is missing: the line that the index shows");
  const { store, warnings } = await openTopicsToWrite(invocation);
  if (host.isInteractive()) host.stderr("Type the text; Ctrl-D on an empty line ends it.\n");
  const body = await host.readInput();
  const result = await store.write({
    name,
    type,
    description,
    body,
    replace: options["replace"] === true,
    allowSecrets: options["allowSecrets"] === true,
    author: PERSON,
  });
  return answer(invocation, result, warnings);
}

function typeOf(invocation: Invocation): TopicType {
  const type = textOption(invocation, "type");
  if (isTopicType(type)) return type;
  const given =
    type === undefined ? "--type is missing" : `--type ${JSON.stringify(type)} is unknown`;
  throw new UsageError(`${given}: it is one of ${TOPIC_TYPES.join(", ")}`);
}

function answer({ json }: Invocation, result: WriteTopicResult, warnings: string): CommandResult {
  const stdout = json ? `${terminalSafeJson(writeResultJson(result))}\n` : "";
  if (result.kind === "conflict") {
    const slug = terminalSafeLine(result.current.slug);
    const sentence = `there is a topic ${slug} already; --replace puts yours in its place (undoable), \`caliban memory edit ${slug}\` opens it`;
    return { stdout, stderr: `${warnings}caliban: ${sentence}\n`, exitCode: EXIT.failed };
  }
  if (result.kind === "missing") {
    return {
      stdout,
      stderr: `${warnings}caliban: ${terminalSafeLine(result.slug)} is gone\n`,
      exitCode: EXIT.failed,
    };
  }
  const { slug, isNew, indexLine, warning } = result;
  const verb = isNew ? "saved" : "replaced";
  return {
    stdout: json ? stdout : `${verb} ${terminalSafeLine(slug)}\n  ${terminalSafeLine(indexLine)}\n`,
    stderr: warnings + (warning === undefined ? "" : `caliban: warning: ${warning}\n`),
    exitCode: EXIT.done,
  };
}
