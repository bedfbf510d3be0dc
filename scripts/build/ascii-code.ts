interface Chunk {
  readonly type: string;
  code: string;
}

/**
 * Writes every character outside ASCII as an escape, because one of them makes V8 keep the whole text of a file in two
 * bytes per character, which takes twice the memory. Such characters are in strings, templates and patterns only.
 */
export function asciiCode() {
  return {
    name: "ascii-code",
    generateBundle(_options: unknown, bundle: Record<string, Chunk>): void {
      for (const chunk of Object.values(bundle)) {
        // A raw template would keep the escape as it is written.
        if (chunk.type !== "chunk" || RAW_TEMPLATE.test(chunk.code)) continue;
        chunk.code = chunk.code.replaceAll(OTHER_UNIT, escapeUnit);
      }
    },
  };
}

const RAW_TEMPLATE = /\.raw`[^`]*[^\0-\x7F]/;

// Each half of a pair alone: in a pattern with the flag `u`, two escapes in a row are one character, too.
const OTHER_UNIT = /(\\*)([^\0-\x7F])/g;

/** A single backslash before such a character means nothing, and would take the escape's own. */
function escapeUnit(_: string, backslashes: string, unit: string): string {
  const before = backslashes.slice(backslashes.length % 2);
  return `${before}\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
