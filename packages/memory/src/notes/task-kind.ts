/** What kind of task needs a decision of the past least: a repair of what is there, or a question about it. */
export type TaskKind = "repair" | "question";

const MAX_CHARACTERS = 500;

/** `undefined` for any other task. */
export function taskKind(message: string): TaskKind | undefined {
  const start = message.slice(0, MAX_CHARACTERS).trim();
  if (REPAIR.test(start)) return "repair";
  return QUESTION.test(start) ? "question" : undefined;
}

const REPAIR =
  /\b(?:typos?|spelling|misspell?ed|grammar|renam(?:e|ed|ing)|reformat|unused|dead code|lint\w*|es-?lint|clippy|ruff|mypy|tsc|prettier|warnings?|docstrings?|doc comments?|code comments?|comment (?:for|of|in|on|above|that|which)|nullpointer\w*|\w+(?:exception|error)\b(?=.{0,40}\b(?:in|at|line)\b)|stack ?trace|traceback|panics?|segfaults?|line \d+|indent\w*|whitespace|trailing|align(?:ed|ment|s)?|centered|pixels?|padding|margin|icon|sort(?:ed|s)? .{0,40}(?:alphabetically|by name)|upgrade|bump|to the latest|flaky)\b/iu;
const QUESTION =
  /^(?:(?:please|hey|hi|can you|could you|just|quick question)[\s,:]*)*(?:explain|why|where|what|how (?:does|do|is|are|many|much)|who|when|which|show me|summari[sz]e|list the|list all|find out|tell me|walk me|describe|count|look (?:up|at)|check (?:if|whether|why))\b|\bexplain\b|\bwhy\b.{0,60}\?|\b(?:any idea|find out)\b/iu;
