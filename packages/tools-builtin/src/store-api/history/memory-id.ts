import { fromBase64Url, toBase64Url } from "../request/base64-url.ts";

const MEMORY = "mem_";
const VERSION = "memver_";

/** The id of a memory: the name that its topic had first, so that it can be found without a lookup. */
export function memoryIdOf(name: string, suffix?: string): string {
  return `${MEMORY}${toBase64Url(name)}${suffix === undefined ? "" : `.${suffix}`}`;
}

/** The first name of a memory; `undefined` for what is not an id. */
export function nameInMemoryId(id: string): string | undefined {
  const [encoded = "", ...suffix] = id.startsWith(MEMORY) ? id.slice(MEMORY.length).split(".") : [];
  return suffix.length > 1 ? undefined : fromBase64Url(encoded);
}

/** A change of one topic. */
export interface VersionKey {
  /** The id of the change. */
  readonly change: string;
  /** The name of the topic in that change. */
  readonly slug: string;
}

export function versionIdOf({ change, slug }: VersionKey): string {
  return `${VERSION}${toBase64Url(`${change}/${slug}`)}`;
}

/** `undefined` for what is not an id. */
export function parseVersionId(id: string): VersionKey | undefined {
  const text = id.startsWith(VERSION) ? fromBase64Url(id.slice(VERSION.length)) : undefined;
  const at = text?.indexOf("/") ?? -1;
  if (text === undefined || at === -1) return undefined;
  return { change: text.slice(0, at), slug: text.slice(at + 1) };
}
