import { createTheme } from "../src/theme.ts";

export const theme = createTheme({ color: false });

/** Lines without bold and dim, which every theme has. */
export function plain(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.split("\u001B[").map(withoutCode).join("").trimEnd());
}

function withoutCode(part: string, index: number): string {
  return index === 0 ? part : part.replace(/^[\d;]*m/, "");
}
