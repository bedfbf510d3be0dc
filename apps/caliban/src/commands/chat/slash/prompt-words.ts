/** Names commands in a hint as they are typed in the prompt, where it was written for a shell. */
export function promptWords(text: string): string {
  return text
    .replaceAll(/\bcaliban memory(?: [a-z-]+)? --help\b/g, "/memory help")
    .replaceAll(/\bcaliban settings(?: [a-z-]+)? --help\b/g, "/help")
    .replaceAll(/\bcaliban (memory|settings)\b/g, "/$1")
    .replaceAll(/\bcaliban sessions\b(?! \w)/g, "/resume")
    .replaceAll(/\b(with|use) --model\b/g, "$1 /model")
    .replaceAll(/^caliban: /gm, "");
}
