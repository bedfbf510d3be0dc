/** What a hook says to the agent. */
export interface HookAnswer {
  /** For the model, at the end of the message or of the result. */
  readonly context: string;
  /** For the user, in one line. */
  readonly shown?: string | undefined;
}

/** The answer as the agents accept it: they discard any other shape silently. */
export function renderAnswer(eventName: string, { context, shown }: HookAnswer): string {
  const answer = {
    ...(shown === undefined ? {} : { systemMessage: shown }),
    hookSpecificOutput: { hookEventName: eventName, additionalContext: context },
  };
  return `${JSON.stringify(answer)}\n`;
}
