/** What the bytes of an image say about it. */
export interface InspectedImage {
  readonly mediaType: string;
  /** Such as `PNG`. */
  readonly kind: string;
  readonly width: number;
  readonly height: number;
}

/** The formats that models accept, by their first bytes. The extension of a name means nothing. */
export function imageKind(start: Uint8Array): ImageKind | undefined {
  const text = latin1(start, 0, 12);
  return KINDS.find(({ matches }) => matches.test(text));
}

/**
 * The format and the size of a complete image. `undefined` for other bytes, and for an image that is damaged or cut off.
 */
export function inspectImage(bytes: Uint8Array): InspectedImage | undefined {
  const found = imageKind(bytes);
  if (found === undefined) return undefined;
  const size = found.sizeOf(bytes);
  if (size === undefined || size.width === 0 || size.height === 0) return undefined;
  return { mediaType: found.mediaType, kind: found.kind, ...size };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface ImageKind {
  readonly kind: string;
  readonly mediaType: string;
  readonly matches: RegExp;
  readonly sizeOf: (bytes: Uint8Array) => Size | undefined;
}

const KINDS: readonly ImageKind[] = [
  // oxlint-disable-next-line no-control-regex -- the signature of the format
  { kind: "PNG", mediaType: "image/png", matches: /^\u0089PNG\r\n\u001A\n/, sizeOf: pngSize },
  { kind: "JPEG", mediaType: "image/jpeg", matches: /^\u00FF\u00D8\u00FF/, sizeOf: jpegSize },
  { kind: "GIF", mediaType: "image/gif", matches: /^GIF8[79]a/, sizeOf: gifSize },
  { kind: "WebP", mediaType: "image/webp", matches: /^RIFF[^]{4}WEBP/, sizeOf: webpSize },
];

/** Walks the chunks: the header is the first one, and a complete file has an end. */
function pngSize(bytes: Uint8Array): Size | undefined {
  const view = viewOf(bytes);
  if (bytes.length < 33 || latin1(bytes, 12, 4) !== "IHDR") return undefined;
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    if (latin1(bytes, at + 4, 4) === "IEND") {
      return { width: view.getUint32(16), height: view.getUint32(20) };
    }
  }
  return undefined;
}

const FRAME_MARKERS = /^[\u00C0-\u00C3\u00C5-\u00C7\u00C9-\u00CB\u00CD-\u00CF]$/;

/** Walks the segments up to the frame header. The end marker may be followed by padding. */
function jpegSize(bytes: Uint8Array): Size | undefined {
  const view = viewOf(bytes);
  if (!endsWithMarker(bytes)) return undefined;
  for (let at = 2; at + 9 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    if (bytes[at + 1] === 0xff) {
      at += 1;
      continue;
    }
    if (FRAME_MARKERS.test(latin1(bytes, at + 1, 1))) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

const END_SEARCH_BYTES = 64 * 1024;

function endsWithMarker(bytes: Uint8Array): boolean {
  const tail = bytes.subarray(-END_SEARCH_BYTES);
  return tail.some((byte, at) => byte === 0xff && tail[at + 1] === 0xd9);
}

function gifSize(bytes: Uint8Array): Size | undefined {
  if (bytes.length < 14 || !bytes.subarray(-1024).includes(0x3b)) return undefined;
  const view = viewOf(bytes);
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** The size is in another place for each of the three encodings. */
function webpSize(bytes: Uint8Array): Size | undefined {
  const view = viewOf(bytes);
  if (bytes.length < 30 || view.getUint32(4, true) + 8 > bytes.length) return undefined;
  switch (latin1(bytes, 12, 4)) {
    case "VP8X":
      return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case "VP8 ":
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    default:
      return undefined;
  }
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_00_00;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function latin1(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
