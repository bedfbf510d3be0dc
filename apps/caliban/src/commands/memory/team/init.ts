import { resolve } from "node:path";
import { expandTilde, pathStyleOf, terminalSafeLine } from "@caliban/common";
import { runUntrustedGit } from "@caliban/common/node";
import { resolveProjectPath } from "@caliban/memory/node";
import { checkRemote } from "@caliban/memory-git/node";
import type { CommandResult, Invocation } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import {
  connectCheckout,
  connectedTeam,
  requireIdentity,
  requireTeamsDirectory,
  similarTeams,
} from "../../../project/team/connect-checkout.ts";
import { displayRemote } from "../../../project/team/display-remote.ts";
import { openStoredTeam } from "../../../project/team/open-team.ts";
import { syncTeam } from "../../../project/team/sync-team.ts";
import type { Project } from "../../../project/project.ts";
import { UsageError } from "../../../usage-error.ts";
import { output } from "../output.ts";
import { isFailed, renderSync, syncJson } from "./render-sync.ts";
import {
  isConfirmed,
  openTeamProject,
  reportTeamErrors,
  requireTeamMemory,
} from "./team-command.ts";

/** `caliban memory team init REMOTE`: explains who will read what, asks, connects this checkout and syncs. */
export async function initTeam(invocation: Invocation): Promise<CommandResult> {
  return await reportTeamErrors(invocation, async () => await init(invocation));
}

async function init(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const [typed = ""] = invocation.operands;
  const { project, warnings } = await openTeamProject(invocation);
  requireTeamMemory(project);
  requireTeamsDirectory(project);
  const identity = await requireIdentity(project);
  const remote = await resolveRemote(invocation, project, typed);
  const shown = terminalSafeLine(displayRemote(remote));
  const current = await connectedTeam(project);
  if (current !== undefined && current.remote !== remote) {
    const other = terminalSafeLine(displayRemote(current.remote));
    throw new UsageError(
      `this project shares memory through ${other} already. To use another remote, first run: ${host.command("memory team leave")}`,
    );
  }
  if (current === undefined) {
    const others = (await similarTeams(project)).filter((team) => team.remote === remote);
    const isFork = others.some(({ checkouts }) => !sharesAny(checkouts, identity.remotes));
    const about = explain(shown, { isFork, host });
    if (!(await isConfirmed(invocation, { about, question: "Connect this project to it?" })))
      return output(invocation, {
        data: { kind: "declined", remote: displayRemote(remote) },
        text: "Nothing was changed.\n",
        stderr: warnings,
        exitCode: EXIT.failed,
      });
  }
  const stored = await connectCheckout(project, { remote, identity });
  const team = openStoredTeam(project, stored);
  if ((await team.engine.status()) === undefined) await team.engine.init(remote);
  const sync = await syncTeam(project, team, { interactive: host.isInteractive() });
  const next = isFailed(sync)
    ? `Connected, but not synced yet. Try again with: ${host.command("memory team sync")}\n`
    : `Share a topic with: ${host.command("memory team share SLUG")}\n`;
  const auto = project.settings.values["memory.team.auto"]
    ? ""
    : `To sync in the background: ${host.command("settings set memory.team.auto true")}\n`;
  return output(invocation, {
    data: { kind: "connected", remote: displayRemote(remote), sync: syncJson(sync) },
    text: `connected to ${shown}\n${renderSync(sync, host)}${next}${auto}`,
    stderr: warnings,
    exitCode: isFailed(sync) ? EXIT.failed : EXIT.done,
  });
}

function sharesAny(one: readonly string[], other: readonly string[]): boolean {
  return one.some((item) => other.includes(item));
}

function explain(
  shown: string,
  { isFork, host }: { readonly isFork: boolean; readonly host: Invocation["host"] },
): string {
  const fork = isFork
    ? [
        "  This checkout has another remote than the one you connected before. If it is a fork,",
        "  its sessions will see what that team shares.",
      ]
    : [];
  return `${[
    `Team memory through ${shown}, on the ref refs/caliban/memory:`,
    "",
    "  Everyone who can read that repository can read what you share, with git alone.",
    "  Everyone who can push to it can propose topics. Those of authors whose key you have not",
    `  approved wait in your inbox: ${host.command("memory inbox")}`,
    `  Nothing is shared until you share it, topic by topic: ${host.command("memory team share SLUG")}`,
    "  Unsharing removes a topic for everyone, but its text stays in the git history.",
    "  Branches and the work tree are not touched. The remote is contacted now.",
    ...fork,
  ].join("\n")}\n\n`;
}

/** A URL, a path, or the name of a remote of this repository. */
async function resolveRemote(
  { host }: Invocation,
  project: Project,
  typed: string,
): Promise<string> {
  if (/^[\w.-]+$/.test(typed) && !typed.startsWith(".")) {
    const { path: directory } = resolveProjectPath(project.workspace);
    const { output: url } = await runUntrustedGit({
      directory,
      command: ["config", "--get", `remote.${typed}.url`],
      env: host.env,
    });
    if (url.trim() !== "") return checkRemote(absolute(host, url.trim()));
    throw new UsageError(
      `no git remote named ${JSON.stringify(typed)}. Name one of this repository, or pass a URL or a path`,
    );
  }
  return checkRemote(absolute(host, typed));
}

/** A path is used from other directories as well. */
function absolute(host: Invocation["host"], remote: string): string {
  const expanded = expandTilde(pathStyleOf(host.platform), remote, host.home);
  return /^\.{1,2}(?:[/\\]|$)/.test(expanded) ? resolve(host.cwd ?? "/", expanded) : expanded;
}
