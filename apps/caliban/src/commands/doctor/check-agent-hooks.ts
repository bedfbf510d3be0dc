import { readFileSync } from "node:fs";
import { join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { hasCode } from "@caliban/common/node";
import { readHookProblems } from "../../agent-hooks/hook-log.ts";
import { AGENT_TARGETS } from "../../agent-hooks/install/agent-targets.ts";
import { readConfigFile } from "../../agent-hooks/install/config-file.ts";
import type { Delivery } from "../../agent-hooks/probe/judge-delivery.ts";
import type { ProbeResult } from "../../agent-hooks/probe/run-probe.ts";
import { hookStateDirectory } from "../../agent-hooks/state-directory.ts";
import type { Invocation } from "../../command.ts";
import type { Host } from "../../host.ts";
import { formatCount } from "../format-count.ts";
import { findAgentHooks, type FoundHooks } from "../hook/list.ts";
import { abbreviatePath } from "../user-paths.ts";
import { type Check, note, ok, problem } from "./check.ts";

/** Checks the hooks that are installed in other agents. With `--hooks`, by running each agent. */
export async function checkAgentHooks(invocation: Invocation): Promise<readonly Check[]> {
  const { host, options } = invocation;
  const isProbed = options["hooks"] === true;
  const found = (await findAgentHooks(invocation)).filter(
    (hooks) => hooks.events.length > 0 || hooks.problem !== undefined,
  );
  if (found.length === 0 && isProbed) {
    const install = host.command("hook install AGENT");
    return [note("agent hooks", "no hooks installed in other agents", install)];
  }
  const checks: Check[] = [];
  // One after the other, because agents are large programs.
  for (const hooks of found)
    checks.push(...(isProbed ? await probe(invocation, hooks) : describe(host, hooks)));
  return [...checks, ...(found.length === 0 ? [] : checkProblems(host))];
}

function aboutOf({ agent, scope }: FoundHooks): string {
  return `${agent} hooks${scope === "project" ? " (project)" : ""}`;
}

function describe(host: Host, hooks: FoundHooks): readonly Check[] {
  const path = abbreviatePath(host, hooks.path);
  if (hooks.problem !== undefined)
    return [problem(aboutOf(hooks), `${path}: ${hooks.problem}`, `Fix ${path}.`)];
  const message = `installed in ${path}; see whether they arrive with: ${host.command("doctor --hooks")}`;
  return [ok(aboutOf(hooks), message)];
}

async function probe(invocation: Invocation, hooks: FoundHooks): Promise<readonly Check[]> {
  const { host } = invocation;
  if (hooks.problem !== undefined) return describe(host, hooks);
  const file = readConfigFile(hooks.path);
  if ("problem" in file || file.text === undefined) return [];
  const target = AGENT_TARGETS[hooks.agent];
  const { runProbe } = await import("../../agent-hooks/probe/run-probe.ts");
  const { trustedPart } = await import("../../agent-hooks/probe/trusted-part.ts");
  const { scope, events: installed } = hooks;
  const all = { text: file.text, installed };
  // The user's own file is the user's. One in a repository may be anyone's.
  const part = scope === "user" ? all : trustedPart(host, target, all);
  if (part === undefined) return [foreignCommands(hooks, host)];
  // An agent may need a minute, and there may be six.
  if (!invocation.json) host.report(`testing the hooks of ${target.title}…`);
  const result = await runProbe({ host, target, scope, ...part });
  return [...checksOf(hooks, result), ...checkTrust(host, hooks)];
}

function foreignCommands({ agent, path, ...hooks }: FoundHooks, host: Host): Check {
  const about = aboutOf({ agent, path, ...hooks });
  const message = `not tried: ${abbreviatePath(host, path)} has other commands than \`caliban hook install\` writes, and commands of a repository are not run for a test`;
  return note(
    about,
    message,
    `Look at the file, then run: ${host.command(`hook install ${agent} --project`)}`,
  );
}

function checksOf(hooks: FoundHooks, result: ProbeResult): readonly Check[] {
  const about = aboutOf(hooks);
  const { title, program } = AGENT_TARGETS[hooks.agent];
  switch (result.kind) {
    case "no-program":
      return [note(about, `not tried: ${program} is not on PATH`)];
    case "no-request":
      return [
        problem(
          about,
          `not known: ${title} did not ask the test model anything; ${terminalSafeLine(result.reason)}`,
          `Run ${program} yourself, and see whether it starts.`,
        ),
      ];
    case "judged":
      return result.deliveries.map(({ event, delivery }) =>
        deliveryCheck(`${about}: ${event}`, delivery, title),
      );
  }
}

function deliveryCheck(about: string, delivery: Delivery, title: string): Check {
  switch (delivery.kind) {
    case "arrived":
      return ok(about, `arrived, ${delivery.ms} ms`);
    case "late":
      return problem(
        about,
        `came too late: the model had acted before it got the note, ${delivery.ms} ms`,
        "Report this; it may be a change in the agent.",
      );
    case "dropped":
      return problem(
        about,
        `dropped: the hook answered after ${delivery.ms} ms, and the model did not get it`,
        `Update ${title} or caliban; one of them may expect another answer.`,
      );
    case "not-called":
      return problem(
        about,
        `not called by ${title}`,
        "Look for a setting that turns hooks off, and install the hooks again.",
      );
    case "not-tried":
      return note(about, "not tried: a short run has no such event");
  }
}

/** Codex stores which hooks the user has reviewed, by the path of their file. */
function checkTrust({ env, home }: Host, { agent, path }: FoundHooks): readonly Check[] {
  if (agent !== "codex" || home === undefined) return [];
  const directory = AGENT_TARGETS.codex.userDirectory(env, home);
  if (readIfExists(join(directory, "config.toml")).includes(`${path}:`)) return [];
  const message = "not reviewed in Codex yet, so it may not run them";
  return [note("codex hooks: trust", message, "Start codex and type /hooks.")];
}

function readIfExists(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return "";
    throw error;
  }
}

const MAX_AGE_MS = 7 * 24 * 3_600_000;

/** What hooks could not report to the agents that called them. */
function checkProblems(host: Host): readonly Check[] {
  const { env, home, platform, native } = host;
  const stateDirectory = hookStateDirectory({ env, home, platform, native });
  const recent =
    stateDirectory === undefined
      ? []
      : readHookProblems(stateDirectory).filter(({ atMs }) => host.now() - atMs < MAX_AGE_MS);
  const last = recent.at(-1);
  if (last === undefined) return [];
  const message = `${formatCount(recent.length, "call")} of the last week failed, the last one of ${terminalSafeLine(last.agent)}: ${terminalSafeLine(last.message)}`;
  return [note("agent hooks", message)];
}
