import { FOREIGN_TEXTS, FOREIGN_WORD } from "../../../test/attack/words-of-others.ts";
import {
  CHANNELS,
  isKnownAsForeign,
  OWN_TEXT,
  findOwnTexts,
} from "../../../test/support/foreign-message.ts";
import { type Attempt, requireOrdinary, type Surface } from "../surface.ts";

/** Texts of others in a message of the user that try to count as the user's own words. */
export const wordsOfOthers: Surface = {
  name: "messages: commands, piped input, attached files, hooks",
  attack: async () => {
    const attempts: Attempt[] = [];
    for (const [channel, toMessage] of Object.entries(CHANNELS)) {
      const ordinary = findOwnTexts(await toMessage("x"));
      requireOrdinary(
        ordinary.every((each) => each.includes(OWN_TEXT)),
        "the user's words are lost",
      );
      for (const [name, text] of FOREIGN_TEXTS) {
        const message = await toMessage(text);
        const isOwn = findOwnTexts(message).some((each) => each.includes(FOREIGN_WORD));
        const succeeded = isOwn || !isKnownAsForeign(message);
        attempts.push({ name: `${channel} ${name}`, succeeded });
      }
    }
    return attempts;
  },
};
