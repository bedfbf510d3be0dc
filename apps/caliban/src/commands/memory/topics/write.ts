import { terminalSafeJson, terminalSafeLine } from "@caliban/common";
import { isTopicType, TOPIC_TYPES, type TopicType, type WriteTopicResult } from "@caliban/memory";
import { type CommandResult, type Invocation, textOption } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { UsageError } from "../../../usage-error.ts";
import { openTopicsForWriting, USER } from "./open-topics.ts";
import { resultJson } from "./topic-output.ts";

/** `caliban memory write SLUG`: the same as the agent's tool, with the text from stdin. */
export async function writeTopic(invocation: Invocation): Promise<CommandResult> {
  const { host, options } = invocation;
  const [name = ""] = invocation.operands;
  const [type, description] = [parseType(invocation), textOption(invocation, "description")];
  if (description === undefined)
    throw new UsageError("--description is required: the text of its line in the index");
  const { store, warnings } = await openTopicsForWriting(invocation);
  if (host.isInteractive()) host.stderr("Type the text. End with Ctrl-D on an empty line.\n");
  const body = await host.readInput();
  const result = await store.write({
    name,
    type,
    description,
    body,
    replace: options["replace"] === true,
    allowSecrets: options["allowSecrets"] === true,
    author: USER,
  });
  return printResult(invocation, result, warnings);
}

/** @throws UsageError */
function parseType(invocation: Invocation): TopicType {
  const type = textOption(invocation, "type");
  if (isTopicType(type)) return type;
  const types = TOPIC_TYPES.join(", ");
  if (type === undefined) throw new UsageError(`--type is required: one of ${types}`);
  throw new UsageError(`--type must be one of ${types}, not ${JSON.stringify(type)}`);
}

function printResult(
  { host, json }: Invocation,
  result: WriteTopicResult,
  warnings: readonly string[],
): CommandResult {
  const stdout = json ? `${terminalSafeJson(resultJson(result))}\n` : undefined;
  const failed = (message: string): CommandResult => ({
    stdout: stdout ?? "",
    stderr: [...warnings, message],
    exitCode: EXIT.failed,
  });
  if (result.kind === "conflict") {
    const { slug } = result.current;
    return failed(
      `topic ${slug} already exists. Replace it with --replace (can be undone), or edit it with: ${host.command(`memory edit ${slug}`)}`,
    );
  }
  if (result.kind === "missing") return failed(`topic ${result.slug} no longer exists`);
  const { slug, isNew, indexLine, warning } = result;
  const verb = isNew ? "saved" : "replaced";
  return {
    stdout: stdout ?? `${verb} ${terminalSafeLine(slug)}\n  ${terminalSafeLine(indexLine)}\n`,
    stderr: warning === undefined ? warnings : [...warnings, `warning: ${warning}`],
    exitCode: EXIT.done,
  };
}
