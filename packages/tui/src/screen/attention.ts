import { type Environment, terminalSafeLine } from "@caliban/common";

/** How the user is called. */
export type NotifyMode = "auto" | "bell" | "osc9" | "off";

const BELL = "\u0007";
/** A turn that takes longer is one that the user may have left alone. */
const LONG_TURN_MS = 10_000;
const QUESTION_WAIT_MS = 5_000;
const MAX_TITLE_CHARACTERS = 80;

/** What the title and the notifications depend on. */
interface AttentionState {
  readonly directory: string;
  readonly startedAt: number | undefined;
  readonly hasQuestion: boolean;
}

interface AttentionInput {
  readonly write: (output: string) => void;
  readonly now: () => number;
  readonly env: Environment;
}

/** Keeps the title of the terminal up to date, and calls the user when a long turn ends or a question waits. */
export interface Attention {
  readonly start: () => void;
  readonly stop: () => void;
  readonly update: (state: AttentionState) => void;
  readonly useMode: (mode: NotifyMode) => void;
}

export function createAttention({ write, now, env }: AttentionInput): Attention {
  let mode: NotifyMode = "auto";
  let title = "";
  let last: AttentionState = { directory: "", startedAt: undefined, hasQuestion: false };
  let isActive = false;
  let timer: NodeJS.Timeout | undefined;
  const notify = (text: string): void => {
    if (isActive) write(notification(text, resolveMode(mode, env)));
  };
  const showTitle = (): void => {
    const next = titleOf(last);
    if (!isActive || next === title || last.directory === "") return;
    title = next;
    write(`\u001B]0;${title}${BELL}`);
  };
  return {
    useMode: (chosen) => {
      mode = chosen;
    },
    start: () => {
      if (isActive) return;
      isActive = true;
      // Saves the title, so that it can be restored.
      write("\u001B[22;0t");
      showTitle();
    },
    stop: () => {
      if (!isActive) return;
      isActive = false;
      clearTimeout(timer);
      title = "";
      write("\u001B[23;0t");
    },
    update: (state) => {
      const { startedAt, hasQuestion } = last;
      last = state;
      showTitle();
      const hasEnded = startedAt !== undefined && state.startedAt === undefined;
      if (hasEnded && now() - startedAt >= LONG_TURN_MS) notify("The agent is done.");
      if (hasQuestion === state.hasQuestion) return;
      clearTimeout(timer);
      if (!state.hasQuestion) return;
      timer = setTimeout(() => notify("The agent has a question."), QUESTION_WAIT_MS).unref();
    },
  };
}

/** A name that cannot end the sequence it is in. */
function titleOf({ directory, startedAt, hasQuestion }: AttentionState): string {
  const mark = hasQuestion ? "? " : startedAt === undefined ? "" : "… ";
  return `${mark}caliban: ${terminalSafeLine(directory)}`
    .slice(0, MAX_TITLE_CHARACTERS)
    .toWellFormed();
}

/** Terminals that show OSC 9 as a desktop notification. */
const WITH_NOTIFICATIONS = /^(?:iTerm\.app|WezTerm|ghostty)$/;

function resolveMode(mode: NotifyMode, env: Environment): Exclude<NotifyMode, "auto"> {
  if (mode !== "auto") return mode;
  const isKnown =
    WITH_NOTIFICATIONS.test(env["TERM_PROGRAM"] ?? "") || env["TERM"] === "xterm-kitty";
  return isKnown ? "osc9" : "bell";
}

function notification(text: string, mode: Exclude<NotifyMode, "auto">): string {
  if (mode === "off") return "";
  return mode === "bell" ? BELL : `\u001B]9;caliban: ${text}${BELL}`;
}
