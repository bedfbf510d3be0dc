import { describe, expect, it } from "vitest";
import { FOREIGN_TEXTS, FOREIGN_WORD } from "./attack/words-of-others.ts";
import { CHANNELS, isKnownAsForeign, OWN_TEXT, findOwnTexts } from "./support/foreign-message.ts";

describe.each(Object.entries(CHANNELS))("a text of others in a message (%s)", (_, toMessage) => {
  it.each(FOREIGN_TEXTS)("counts as text of others when it %s", async (__, text) => {
    const message = await toMessage(text);
    const words = findOwnTexts(message);
    expect(words.every((each) => each.includes(OWN_TEXT))).toBe(true);
    expect(words.filter((each) => each.includes(FOREIGN_WORD))).toEqual([]);
    expect(isKnownAsForeign(message)).toBe(true);
  });
});
