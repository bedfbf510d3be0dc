import { EMPTY_TRANSCRIPT, type Transcript } from "../transcript/transcript.ts";

/** All that the screen shows besides what is being typed. */
export interface ScreenState {
  readonly transcript: Transcript;
  /** From this item on, thoughts and outputs are shown whole. */
  readonly expandedFrom: number;
  readonly workspaceRoot: string;
  readonly work: RunningWork | undefined;
  /** What the person said while the agent worked; harmless texts. */
  readonly queued: readonly string[];
  readonly model: string;
  readonly mode: string;
  readonly directory: string;
  readonly usedPercent: number;
  /** Stands in the footer for a moment. */
  readonly hint: string | undefined;
  /** Whether only the transcript is left to be seen. */
  readonly isEnded: boolean;
}

export interface RunningWork {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** What came since the provider last counted. */
  readonly streamedCharacters: number;
  readonly isStopping: boolean;
  /** How far a command is, where one runs. */
  readonly progress?: string | undefined;
}

export const FIRST_STATE: ScreenState = {
  transcript: EMPTY_TRANSCRIPT,
  expandedFrom: Infinity,
  workspaceRoot: "",
  work: undefined,
  queued: [],
  model: "",
  mode: "default",
  directory: "",
  usedPercent: 0,
  hint: undefined,
  isEnded: false,
};

export const NEW_WORK: Omit<RunningWork, "startedAt"> = {
  inputTokens: 0,
  outputTokens: 0,
  streamedCharacters: 0,
  isStopping: false,
};
