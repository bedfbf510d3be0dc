import { type SpellCommand, terminalSafeLine } from "@caliban/common";
import type { HookStanding, HookSummaries, HookSummary } from "../../hooks/summarize-hooks.ts";

/** Every hook with its standing and its last outcome, for `caliban hooks` and `/hooks`. */
export function renderHooks({ hooks, offReason }: HookSummaries, command: SpellCommand): string {
  if (hooks.length === 0) return NO_HOOKS;
  const off = offReason === undefined ? [] : [`${offReason}: none of these runs.`];
  return [...off, ...hooks.map((hook) => renderHook(hook, command))].join("\n");
}

const NO_HOOKS =
  "No hooks configured. To add one, set [hooks.<name>] in the settings (see docs/hooks.md).";

function renderHook(hook: HookSummary, command: SpellCommand): string {
  const { name, event, matcher, source, standing, notes, run } = hook;
  const needsApproval = standing === "needs-approval" || standing === "changed";
  const hint = needsApproval ? `. Run: ${command(`hooks approve ${name}`)}` : "";
  const tools = matcher === undefined ? "" : ` of ${matcher}`;
  const lines = [
    `${name}: ${STANDINGS[standing]}${hint}`,
    `${event ?? "no event"}${tools}: ${hook.command ?? "no command"}`,
    `from ${source}`,
    ...notes.map((note) => `problem: ${note}`),
    ...(run === undefined ? [] : [describeRun(run)]),
  ];
  return lines
    .map((line, index) => `${index === 0 ? "" : "  "}${terminalSafeLine(line)}`)
    .join("\n");
}

function describeRun({ count, failures, last }: NonNullable<HookSummary["run"]>): string {
  const times = count === 1 ? "ran once" : `ran ${count} times`;
  const failed = failures === 0 ? "" : `, failed ${failures === 1 ? "once" : `${failures} times`}`;
  return `${times}${failed}; last: ${last}`;
}

const STANDINGS: Readonly<Record<HookStanding, string>> = {
  yours: "yours",
  approved: "approved",
  "needs-approval": "not approved",
  changed: "changed since you approved it",
  "turned-off": "turned off",
  problem: "cannot be used",
};
