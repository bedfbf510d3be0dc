import type { Spending } from "../store/pipeline-store.ts";

/** The commands and options of the program that shows a text, as the user types them. */
export interface MemoryCommands {
  readonly view: string;
  readonly stats: string;
  readonly retry: string;
  readonly clear: string;
  /** What excludes a session. */
  readonly exclude: string;
  /** What shows statements that wait for the user. */
  readonly inbox: string;
  /** What includes sessions that were active a moment ago. */
  readonly recent: string;
}

/** Requests and tokens, such as `2 requests, 1,200 tokens`. */
export function formatSpending({ requests, inputTokens, outputTokens }: Spending): string {
  return `${formatCount(requests, "request")}, ${formatNumber(inputTokens + outputTokens)} tokens`;
}

/** A count, such as `1 session` or `1,200 sessions`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export function formatNumber(count: number): string {
  return count.toLocaleString("en-US");
}
