import { styleText } from "node:util";

/** Colors for text on a terminal. Without color every function returns its text unchanged. */
export interface Style {
  readonly heading: (text: string) => string;
  readonly name: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly dim: (text: string) => string;
}

export function createStyle(hasColor: boolean): Style {
  const paint =
    (format: Parameters<typeof styleText>[0]) =>
    (text: string): string =>
      // The caller knows the stream; `styleText` would look at stdout.
      hasColor ? styleText(format, text, { validateStream: false }) : text;
  return {
    heading: paint("bold"),
    name: paint("cyan"),
    good: paint("green"),
    warning: paint("yellow"),
    bad: paint("red"),
    dim: paint("dim"),
  };
}
