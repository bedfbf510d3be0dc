/** Names commands in a hint as they are typed in the prompt, where it was written for a shell. */
export function promptWords(text: string): string {
  return text
    .replaceAll(/\bcaliban (memory|settings)\b/g, "/$1")
    .replaceAll(/\bwith --model\b/g, "with /model")
    .replaceAll(/^caliban: /gm, "");
}
