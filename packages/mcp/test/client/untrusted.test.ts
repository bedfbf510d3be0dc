import * as fc from "fast-check";
import { expect, it } from "vitest";
import { sanitizeText } from "../../src/client/untrusted.ts";
import { hostileText } from "./hostile-text.ts";

it("removes our tags and frames, control characters and invisible characters from a server's text", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const clean = sanitizeText(text);
      expect(clean).not.toMatch(
        // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
        /<\s*\/?\s*memory-guidance(?![\w-])|^\s*\[\s*end of|\u001B|\u{E0041}/mu,
      );
      expect(sanitizeText(clean)).toBe(clean);
    }),
  );
});
