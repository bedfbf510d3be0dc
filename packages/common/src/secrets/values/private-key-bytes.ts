// Files that begin with a fixed text: OpenSSH keys and Java key stores.
const FIRST_BYTES = ["openssh-key-v1\0", "\u00FE\u00ED\u00FE\u00ED\0\0\0\u0002"];

// Object identifiers of RSA Laboratories: PKCS #5 and #12 encryption, and the data of a PKCS #12 file.
const RSA_LABORATORIES = "\u002A\u0086\u0048\u0086\u00F7\u000D\u0001";
const ENCRYPTION = [`${RSA_LABORATORIES}\u0005`, `${RSA_LABORATORIES}\u000C\u0001`];
const PKCS12_DATA = [`${RSA_LABORATORIES}\u0007\u0001`];

const [INTEGER, OCTETS, SEQUENCE] = [0x02, 0x04, 0x30];
const MIN_NUMBER_BYTES = 32;

/** Whether bytes, one per character, begin a private key: in OpenSSH's format, in DER, or in a key store. */
export function isPrivateKey(bytes: string): boolean {
  if (FIRST_BYTES.some((first) => bytes.startsWith(first))) return true;
  const outer = readElement(bytes, 0);
  if (outer.tag !== SEQUENCE) return false;
  const first = readElement(bytes, outer.start);
  const second = readElement(bytes, first.start + first.length);
  if (first.tag === SEQUENCE) {
    return hasIdentifier(bytes, first, ENCRYPTION) && second.tag === OCTETS;
  }
  return first.tag === INTEGER && first.length === 1 && isKeyOfVersion(bytes, first.start, second);
}

interface Element {
  readonly tag: number;
  /** The offset and length of its content. */
  readonly start: number;
  readonly length: number;
}

/** The version number tells the formats apart. Certificates, requests, public keys and signatures have none here. */
function isKeyOfVersion(bytes: string, versionAt: number, next: Element): boolean {
  const version = bytes.charCodeAt(versionAt);
  const after = readElement(bytes, next.start + next.length);
  if (version === 3) return hasIdentifier(bytes, next, PKCS12_DATA);
  // PKCS #8, otherwise PKCS #1 and DSA, or SEC 1.
  if (next.tag === SEQUENCE) return version <= 1 && after.tag === OCTETS;
  if (version === 0) return next.tag === INTEGER && next.length >= MIN_NUMBER_BYTES;
  return version === 1 && next.tag === OCTETS && next.length >= 20 && next.length <= 66;
}

/** Whether the content of an element begins with one of these object identifiers. */
function hasIdentifier(bytes: string, { start }: Element, identifiers: readonly string[]): boolean {
  const identifier = readElement(bytes, start);
  return identifiers.some((known) => bytes.startsWith(known, identifier.start));
}

/** The header of a DER element. Beyond the end, the tag is NaN. */
function readElement(bytes: string, at: number): Element {
  const tag = bytes.charCodeAt(at);
  const first = bytes.charCodeAt(at + 1);
  if (first < 0x80) return { tag, start: at + 2, length: first };
  const size = first & 0x7f;
  let length = 0;
  for (let index = 0; index < Math.min(size, 4); index++) {
    length = length * 256 + bytes.charCodeAt(at + 2 + index);
  }
  return { tag, start: at + 2 + size, length };
}
