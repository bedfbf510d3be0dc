import { describe, expect, it } from "vitest";
import { checkImage } from "../src/node/images/check-image.ts";

const base64 = (text: string): Buffer => Buffer.from(text, "base64");
const PNG = base64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);
const GIF = base64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");
const WEBP = base64("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==");
/** The headers of a baseline JPEG of 5 × 3, and its end. */
const JPEG = Buffer.from(
  "ffd8ffe000104a46494600010100000100010000ffc0000b080003000501011100ffd9",
  "hex",
);

describe("checkImage", () => {
  it.each([
    ["PNG", PNG, "image/png", 1, 1],
    ["GIF", GIF, "image/gif", 1, 1],
    ["WebP", WEBP, "image/webp", 1, 1],
    ["JPEG", JPEG, "image/jpeg", 5, 3],
  ])("knows a %s and its size from its bytes", (kind, bytes, mediaType, width, height) => {
    const data = bytes.toString("base64");
    expect(checkImage(bytes)).toEqual({ kind, image: { mediaType, width, height, data } });
  });

  it("never takes a part of an image for a whole one, and never fails on one", () => {
    for (const bytes of [PNG, GIF, WEBP, JPEG]) {
      for (let length = 0; length < bytes.length; length++) {
        expect(checkImage(bytes.subarray(0, length))).toHaveProperty("problem");
      }
    }
  });

  it("refuses images that are larger than models accept", () => {
    const wide = Buffer.from(PNG);
    wide.writeUInt32BE(8_001, 16);
    expect(checkImage(wide)).toEqual({
      problem: "has 8001 × 1 pixels; the limit is 8000 pixels a side. Scale it down",
    });
    expect(checkImage(Buffer.concat([PNG, Buffer.alloc(3_750_000)]))).toEqual({
      problem: "has 3.75 MB; the limit for an image is 3.75 MB. Scale it down",
    });
    expect(checkImage(Buffer.from("text"))).toEqual({
      problem: "is not a PNG, JPEG, GIF or WebP image",
    });
  });
});
