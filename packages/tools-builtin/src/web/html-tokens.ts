import { Tokenizer } from "htmlparser2";

/** The attributes of a tag, by lower-case name. */
export type Attributes = ReadonlyMap<string, string>;

/** Receives the parts of an HTML text in their order. Names are in lower case. */
export interface HtmlHandler {
  readonly open: (name: string, attributes: Attributes) => void;
  readonly close: (name: string) => void;
  /** With entities decoded. One text may arrive in several pieces. */
  readonly text: (text: string) => void;
}

/**
 * Splits HTML into tags and text. Nothing is nested or repaired, so the time is proportional to the length of the text,
 * however hostile the text is. A parser that builds a tree needs far longer for a million open tags.
 */
export function readHtml(html: string, { open, close, text }: HtmlHandler): void {
  let [name, attribute, value] = ["", "", ""];
  let attributes = new Map<string, string>();
  const part = (start: number, end: number): string => html.slice(start, end);
  const finishTag = (): void => {
    open(name, attributes);
    attributes = new Map();
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => {
        name = part(start, end).toLowerCase();
      },
      onattribname: (start, end) => {
        [attribute, value] = [part(start, end).toLowerCase(), ""];
      },
      onattribdata: (start, end) => {
        value += part(start, end);
      },
      onattribentity: (codePoint) => {
        value += String.fromCodePoint(codePoint);
      },
      onattribend: () => {
        // The first one counts, as in browsers.
        if (!attributes.has(attribute)) attributes.set(attribute, value);
      },
      onopentagend: finishTag,
      onselfclosingtag: finishTag,
      onclosetag: (start, end) => close(part(start, end).toLowerCase()),
      ontext: (start, end) => text(part(start, end)),
      ontextentity: (codePoint) => text(String.fromCodePoint(codePoint)),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}

function ignore(): void {}
