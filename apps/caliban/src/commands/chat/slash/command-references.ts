/** How commands are spelled in messages, which name them as in a shell, and how they are typed at the prompt. */
const SPELLINGS: readonly (readonly [shell: RegExp, prompt: string])[] = [
  [/\bcaliban memory(?: [a-z-]+)? --help\b/g, "/memory help"],
  [/\bcaliban settings(?: [a-z-]+)? --help\b/g, "/help"],
  [/\bcaliban (memory|settings)\b/g, "/$1"],
  [/\bcaliban sessions\b(?! \w)/g, "/resume"],
  [/(?<![\w-])--model\b/g, "/model"],
];

/** Renders the commands that a message refers to as they are typed at the prompt: `/memory undo`. */
export function renderCommandReferences(text: string): string {
  return SPELLINGS.reduce((result, [shell, prompt]) => result.replaceAll(shell, prompt), text);
}
