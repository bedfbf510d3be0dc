import type { Node } from "jsonc-parser";

/**
 * Adds a value to the end of an object or a list in a text, and changes no other byte. `insert` and `removeNode` undo each
 * other, also with comments and with a comma after the last value.
 */
export function insert(text: string, container: Node, added: AddedValue): string {
  const { key, value } = added;
  const [first] = container.children ?? [];
  const last = container.children?.at(-1);
  const style = styleOf(text, container);
  const name = key === undefined ? "" : `${JSON.stringify(key)}:${style.isCompact ? "" : " "}`;
  const rendered = `${name}${renderValue(value, style)}`;
  if (first === undefined || last === undefined)
    return insertFirst(text, container, { rendered, style });
  const end = endOf(last);
  const comma = commaAfter(text, end);
  const before = spaceBefore(style);
  // A comment at the end of the line belongs to the value before it.
  const at = style.isMultiline ? endOfLine(text, comma ?? end) : (comma ?? end);
  if (comma !== undefined) return splice(text, at, `${before}${rendered},`);
  return splice(splice(text, at, `${before}${rendered}`), end, ",");
}

export interface AddedValue {
  /** The name of the property, in an object. */
  readonly key?: string;
  readonly value: unknown;
}

function spaceBefore({ isMultiline, isCompact, eol, indent }: JsonStyle): string {
  if (isMultiline) return eol + indent;
  return isCompact ? "" : " ";
}

/** Removes a value from a list, or a property from an object, together with its comma and the white space before it. */
export function removeNode(text: string, node: Node): string {
  const { parent, offset } = node;
  const siblings = parent?.children ?? [];
  const start = text.slice(0, offset).trimEnd().length;
  const end = endOf(node);
  const comma = commaAfter(text, end);
  if (comma !== undefined) return text.slice(0, start) + text.slice(comma);
  const before = siblings[siblings.indexOf(node) - 1];
  if (before !== undefined) {
    const commaBefore = commaAfter(text, endOf(before));
    const rest = text.slice(0, start) + text.slice(end);
    return commaBefore === undefined
      ? rest
      : rest.slice(0, commaBefore - 1) + rest.slice(commaBefore);
  }
  // The only value: the white space after it was added with it.
  const rest = text.slice(end);
  return text.slice(0, start) + (/^\s*[}\]]/.test(rest) ? rest.trimStart() : rest);
}

interface JsonStyle {
  /** Whether the values of the container are on lines of their own. */
  readonly isMultiline: boolean;
  /** Whether there is no space after colons. */
  readonly isCompact: boolean;
  readonly eol: string;
  /** Of the values in the container, and one step of it. */
  readonly indent: string;
  readonly unit: string;
}

function styleOf(text: string, { offset, length, children = [] }: Node): JsonStyle {
  const [first] = children;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const unit = /^([\t ]+)\S/m.exec(text)?.[1] ?? "  ";
  const inner = first === undefined ? text : text.slice(offset, first.offset);
  // An empty object in a file of one line is the whole file.
  const isMultiline =
    inner.includes("\n") || (length === text.trim().length && first === undefined);
  const indent = first === undefined ? indentAt(text, offset) + unit : indentAt(text, first.offset);
  return { isMultiline, isCompact: !isMultiline && !/[:,] /.test(text), eol, indent, unit };
}

function insertFirst(
  text: string,
  { offset, length }: Node,
  { rendered, style }: { readonly rendered: string; readonly style: JsonStyle },
): string {
  if (!style.isMultiline) return splice(text, offset + 1, rendered);
  const { eol, indent } = style;
  const inner = text.slice(offset + 1, offset + length - 1);
  const closing = inner.includes("\n") ? "" : eol + indentAt(text, offset);
  return splice(text, offset + 1, `${eol}${indent}${rendered}${closing}`);
}

function renderValue(
  value: unknown,
  { isMultiline, isCompact, eol, indent, unit }: JsonStyle,
): string {
  if (isMultiline)
    return JSON.stringify(value, undefined, unit)
      .split("\n")
      .join(eol + indent);
  const compact = JSON.stringify(value);
  // Between a value and the next, never inside a text.
  if (isCompact) return compact;
  return compact.replaceAll(/"(?:[^"\\]|\\.)*"|[:,]/g, (part) =>
    part.startsWith('"') ? part : `${part} `,
  );
}

/** The white space at the start of the line. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[\t ]*/.exec(line)?.[0] ?? "";
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

const SPACE_AND_COMMENTS = /(?:\s|\/\/[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*/y;

/** The place after the comma that follows, if one does. */
function commaAfter(text: string, end: number): number | undefined {
  SPACE_AND_COMMENTS.lastIndex = end;
  SPACE_AND_COMMENTS.test(text);
  const at = SPACE_AND_COMMENTS.lastIndex;
  return text[at] === "," ? at + 1 : undefined;
}

/** After the comments that end on the same line. */
function endOfLine(text: string, offset: number): number {
  const [comments = ""] =
    /^(?:[\t ]*\/\*[^\n]*?\*\/)*(?:[\t ]*\/\/[^\r\n]*)?/.exec(text.slice(offset)) ?? [];
  return offset + comments.length;
}

function splice(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}
