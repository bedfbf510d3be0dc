/** Text inside a paragraph that Markdown marks. */
export type InlineKind = "strong" | "emphasis" | "code" | "link";

/** Collects the text of one paragraph or cell. Marks that are never closed end with it. */
export interface InlineText {
  readonly append: (text: string) => void;
  readonly open: (kind: InlineKind, target?: string) => void;
  readonly close: (kind: InlineKind) => void;
  readonly closeAll: () => void;
  /** Returns the text, and starts again. */
  readonly take: () => string;
}

interface Inline {
  readonly kind: InlineKind;
  readonly target: string;
  text: string;
}

/** Deeper marks are left out, so that hostile text is not copied over and over. */
const MAX_DEPTH = 16;

export function createInlineText(): InlineText {
  const inlines: Inline[] = [];
  let text = "";
  const append = (added: string): void => {
    const inline = inlines.at(-1);
    if (inline === undefined) text += added;
    else inline.text += added;
  };
  const closeUntil = (depth: number): void => {
    while (inlines.length > depth) {
      const inline = inlines.pop();
      if (inline !== undefined) append(renderInline(inline));
    }
  };
  return {
    append,
    open: (kind, target = "") => {
      if (inlines.length < MAX_DEPTH) inlines.push({ kind, target, text: "" });
    },
    close: (kind) => {
      const at = inlines.findLastIndex((inline) => inline.kind === kind);
      if (at !== -1) closeUntil(at);
    },
    closeAll: () => closeUntil(0),
    take: () => {
      closeUntil(0);
      const taken = text
        .replaceAll(/ +/g, " ")
        .replaceAll(/ ?\n ?/g, "\n")
        .trim();
      text = "";
      return taken;
    },
  };
}

const MARKS = { strong: "**", emphasis: "*" } as const;

/** Marks go around the text without its outer spaces, because Markdown does not recognize them otherwise. */
function renderInline({ kind, target, text }: Inline): string {
  const inner = text.trim();
  if (inner === "") return text === "" ? "" : " ";
  const before = text.startsWith(inner.charAt(0)) ? "" : " ";
  const after = text.endsWith(inner.slice(-1)) ? "" : " ";
  return `${before}${markInline(inner, kind, target)}${after}`;
}

function markInline(inner: string, kind: InlineKind, target: string): string {
  if (kind === "link") return target === "" ? inner : `[${inner.replaceAll("\n", " ")}](${target})`;
  if (kind !== "code") return `${MARKS[kind]}${inner}${MARKS[kind]}`;
  const fence = fenceFor(inner, 1);
  const space = inner.startsWith("`") || inner.endsWith("`") ? " " : "";
  return `${fence}${space}${inner}${space}${fence}`;
}

/** Backticks, more than any run of them in the text. */
export function fenceFor(text: string, minLength: number): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  return "`".repeat(Math.max(minLength, longest + 1));
}
