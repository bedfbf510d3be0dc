const MAX_DEPTH = 16;

/**
 * The input of a call: each key with its unescaped value below, because a secret is recognized by the lines around it and by
 * where a line starts, and JSON would hide both. At most `maxChars` long.
 */
export function renderInput(input: unknown, maxChars: number): string {
  const lines: string[] = [];
  let length = 0;
  const add = (line: string): void => {
    lines.push(line);
    length += line.length + 1;
  };
  const isFull = (): boolean => length > maxChars;
  const walk = (key: string, value: unknown, depth: number): void => {
    if (isFull() || depth > MAX_DEPTH) return;
    const text = textOf(value, maxChars);
    if (text !== undefined) {
      add(key === "" ? text : `${key}:\n${text}`);
      return;
    }
    if (Array.isArray(value)) for (const item of value) walk(key, item, depth + 1);
    else if (isRecord(value)) {
      for (const name of Object.keys(value)) {
        // Reading all values of a very wide object takes seconds.
        if (isFull()) return;
        walk(name, value[name], depth + 1);
      }
    }
  };
  walk("", input, 0);
  return lines.join("\n").slice(0, maxChars);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** A plain value as text; the words of a command as one text. */
function textOf(value: unknown, maxChars: number): string | undefined {
  if (typeof value === "string") return value.slice(0, maxChars);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value === null || value === undefined) return "";
  if (!Array.isArray(value) || value.some((item) => typeof item !== "string")) return undefined;
  return value.slice(0, maxChars).join(" ").slice(0, maxChars);
}
