import type { PermissionAnswer, PermissionQuestion } from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import type { ScreenUser } from "@caliban/tui";
import type { AskBudget } from "../../../conversation/budget/check-budget.ts";
import type { AskPlan } from "../../../conversation/plan/ask-plan.ts";
import { UsageError } from "../../../usage-error.ts";
import { type CallWorkspace, describeCall } from "../updates/describe-call.ts";
import { fencedWhole, textContent } from "../updates/fence.ts";
import type { AskEditor, EditorChoice } from "./ask-editor.ts";

export interface QuestionsInput {
  readonly ask: AskEditor;
  readonly workspace: CallWorkspace;
  /** The id of the call that a question is about, if the editor shows it. */
  readonly findCall: (name: string, input?: unknown) => string | undefined;
  readonly onInterrupt: ScreenUser["onInterrupt"];
}

/** Every question that a conversation can have, as permission requests of the protocol. */
export interface EditorQuestions {
  readonly permission: (question: PermissionQuestion) => Promise<PermissionAnswer>;
  readonly plan: AskPlan;
  readonly budget: AskBudget;
  /** For slash commands. */
  readonly user: ScreenUser;
}

export function createEditorQuestions(input: QuestionsInput): EditorQuestions {
  const { ask, workspace, findCall, onInterrupt } = input;
  let count = 0;
  /** An id for what is not a call. */
  const nextId = (): string => `question-${(count += 1)}`;
  const choose: ScreenUser["choose"] = async (question, items, text = "") =>
    await ask({
      about: {
        toolCallId: nextId(),
        title: terminalSafeLine(question),
        kind: "other",
        status: "pending",
        content: text.trim() === "" ? [] : [textContent(fencedWhole(text))],
      },
      choices: items.map(({ value, label, description }, index) => ({
        value,
        label:
          description === undefined || description === "" ? label : `${label} (${description})`,
        kind: index === 0 ? "allow_once" : "reject_once",
      })),
    });
  return {
    permission: async (question) => {
      const toolCallId = findCall(question.tool, question.input) ?? nextId();
      return toAnswer(await ask(permissionQuestion(question, toolCallId, workspace)));
    },
    plan: async (plan) => {
      const toolCallId = findCall("ExitPlanMode") ?? nextId();
      const mode = await ask({
        about: {
          toolCallId,
          title: "Proposed plan",
          kind: "switch_mode",
          status: "pending",
          content: [textContent(plan)],
        },
        choices: PLAN_CHOICES,
      });
      if (mode !== "default" && mode !== "accept-edits") return { kind: "declined" };
      return { kind: "approved", plan, mode };
    },
    budget: async (about) =>
      (await ask({
        about: { toolCallId: nextId(), title: terminalSafeLine(about), kind: "other" },
        choices: BUDGET_CHOICES,
      })) === "yes",
    user: {
      confirm: async (question, text) => (await choose(question, YES_OR_NO, text)) === "yes",
      choose,
      pick: async (title, items) => await choose(title, items),
      progress: () => undefined,
      onInterrupt,
      suspend: async () => {
        throw new UsageError("this needs a terminal. Run it in a shell");
      },
    },
  };
}

const YES_OR_NO = [
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];

const PLAN_CHOICES: readonly EditorChoice[] = [
  { value: "default", label: "Yes, carry it out, and ask before changes", kind: "allow_once" },
  { value: "accept-edits", label: "Yes, and edit files without asking", kind: "allow_always" },
  { value: "no", label: "No, keep planning", kind: "reject_once" },
];

const BUDGET_CHOICES: readonly EditorChoice[] = [
  { value: "yes", label: "Continue (amounts are estimates at list prices)", kind: "allow_once" },
  { value: "no", label: "Stop", kind: "reject_once" },
];

/** Everything that the call would do, and the reason for asking. */
function permissionQuestion(
  question: PermissionQuestion,
  toolCallId: string,
  workspace: CallWorkspace,
): Parameters<AskEditor>[0] {
  const { tool, input, subject, reason, agent } = question;
  const { title, kind, content, locations } = describeCall({ name: tool, input }, workspace, {
    isPlanned: true,
  });
  // Neither a diff nor a command: every field may matter.
  const all =
    content.length > 0 ? content : [textContent(fencedWhole(JSON.stringify(input, undefined, 2)))];
  const who = agent === undefined ? "" : `The subagent ${terminalSafeLine(agent)} asks. `;
  const affected = subject === undefined ? "" : `\n${fencedWhole(subject)}`;
  return {
    about: {
      toolCallId,
      title,
      kind,
      status: "pending",
      content: [...all, textContent(`${who}${terminalSafeLine(reason)}${affected}`)],
      locations,
    },
    choices: choicesFor(question),
  };
}

/** Leaves out "always" where it would not be remembered. */
function choicesFor(question: PermissionQuestion): readonly EditorChoice[] {
  const { allowsAlways = true, alwaysScope, prefixScope } = question;
  return [
    { value: "once", label: "Yes, once", kind: "allow_once" },
    ...(prefixScope === undefined ? [] : [always("prefix", prefixScope)]),
    ...(allowsAlways ? [always("always", alwaysScope)] : []),
    { value: "no", label: "No", kind: "reject_once" },
  ];
}

function always(value: string, scope: string): EditorChoice {
  return { value, label: `Always: ${terminalSafeLine(scope)}`, kind: "allow_always" };
}

function toAnswer(value: string | undefined): PermissionAnswer {
  return value === "once" || value === "always" || value === "prefix" ? value : "no";
}
