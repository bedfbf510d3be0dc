import { EMPTY_TRANSCRIPT, type Transcript } from "../transcript/transcript.ts";

/** Everything that the screen shows besides the text being typed. */
export interface ScreenState {
  readonly transcript: Transcript;
  /** From this item on, thoughts and outputs are shown in full. */
  readonly expandedFrom: number;
  readonly workspaceRoot: string;
  readonly work: RunningWork | undefined;
  /** Messages sent while the agent worked; safe texts. */
  readonly queued: readonly string[];
  readonly model: string;
  readonly mode: string;
  readonly directory: string;
  /** The branch of Git, or the beginning of a commit; `undefined` until it is known, and outside of a repository. */
  readonly branch?: string | undefined;
  readonly usedPercent: number;
  /** What the conversation cost so far, where the prices are known. */
  readonly cost?: string | undefined;
  /** How many notes from memory the conversation got. */
  readonly noteCount?: number | undefined;
  /** Shown in the footer for a moment. */
  readonly hint: string | undefined;
  /** Whether only the transcript remains visible. */
  readonly isEnded: boolean;
}

export interface RunningWork {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Received since the provider last reported its usage. */
  readonly streamedCharacters: number;
  readonly isStopping: boolean;
  /** The progress of a running command. */
  readonly progress?: string | undefined;
}

export const INITIAL_STATE: ScreenState = {
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
