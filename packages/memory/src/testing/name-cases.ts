import { expectCode, expectEqual } from "./expect-equal.ts";
import {
  TOPIC,
  writeNew,
  readExisting,
  slugs,
  summary,
  type ContractCases,
} from "./topic-fixtures.ts";

/** What is promised about names, and about what is refused. */
export const NAME_CASES: ContractCases = {
  "refuses names that could leave its place": async (createStore) => {
    const store = await createStore({});
    for (const name of [
      "",
      "../x",
      "a/b",
      String.raw`a\b`,
      "..",
      ".hidden",
      "MEMORY",
      "memory",
      "a\0b",
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- each on its own
      await expectCode(() => store.read(name), "INVALID_SLUG", `reading ${JSON.stringify(name)}`);
      // oxlint-disable-next-line no-await-in-loop
      await expectCode(
        () => store.write({ ...TOPIC, name }),
        "INVALID_SLUG",
        `writing ${JSON.stringify(name)}`,
      );
      // oxlint-disable-next-line no-await-in-loop
      await expectCode(
        () => store.remove({ ...TOPIC, name }),
        "INVALID_SLUG",
        `removing ${JSON.stringify(name)}`,
      );
    }
  },
  "refuses to make names that not every file system takes": async (createStore) => {
    const store = await createStore({});
    for (const name of [
      "con",
      "a:b",
      "a*",
      "-a",
      "a.",
      "a ",
      "x".repeat(101),
      "a\nb",
      "notes.md",
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- each on its own
      await expectCode(
        () => store.write({ ...TOPIC, name }),
        "INVALID_SLUG",
        `writing ${JSON.stringify(name)}`,
      );
    }
  },
  "takes names in any script": async (createStore) => {
    const store = await createStore({});
    for (const name of ["größe", "日本語", "مرحبا", "हिन्दी", "123", "true", "null", "two words"]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await writeNew(store, { ...TOPIC, name });
      // oxlint-disable-next-line no-await-in-loop
      expectEqual((await readExisting(store, name)).topic.name, name, "the name in the header");
    }
    expectEqual(slugs(await store.index()).length, 8, "a line for each");
  },
  "takes names that differ in case for one topic": async (createStore) => {
    const store = await createStore({});
    const { hash } = await writeNew(store, TOPIC);
    const other = await store.write({ ...TOPIC, name: "Deploy-Checklist" });
    expectEqual(summary(other), ["conflict", "exists", hash], "it is there already");
    expectEqual((await readExisting(store, "DEPLOY-CHECKLIST")).slug, TOPIC.name, "and is found");
  },
  "refuses descriptions and bodies that are none": async (createStore) => {
    const store = await createStore({});
    for (const description of ["", " ", "two\nlines", "a\u001Bb", "x".repeat(121)]) {
      // oxlint-disable-next-line no-await-in-loop -- each on its own
      await expectCode(
        () => store.write({ ...TOPIC, description }),
        "INVALID_TOPIC",
        JSON.stringify(description),
      );
    }
    await expectCode(() => store.write({ ...TOPIC, body: " \n" }), "INVALID_TOPIC", "a blank body");
    await expectCode(
      () => store.write({ ...TOPIC, body: "x".repeat(262_145) }),
      "INVALID_TOPIC",
      "a huge body",
    );
    expectEqual((await store.list()).topics.length, 0, "nothing was written");
  },
  "refuses secrets, unless a person insists": async (createStore) => {
    const store = await createStore({});
    const body = ["The key is AK", "IAQWERTYUIOPASDFGH."].join("");
    await expectCode(() => store.write({ ...TOPIC, body }), "SECRET_FOUND", "a key in the body");
    expectEqual((await store.list()).topics.length, 0, "nothing was written");
    await writeNew(store, { ...TOPIC, body, allowSecrets: true });
  },
};
