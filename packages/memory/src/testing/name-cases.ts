import { expectCode, expectEqual } from "./expect-equal.ts";
import {
  TOPIC,
  writeNew,
  readExisting,
  slugs,
  summary,
  type ContractCases,
} from "./topic-fixtures.ts";

/** Cases about names and rejected input. */
export const NAME_CASES: ContractCases = {
  "rejects names that could leave the directory": async (createStore) => {
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
      await expectCode(() => store.read(name), "INVALID_SLUG", `reading ${JSON.stringify(name)}`);
      await expectCode(
        () => store.write({ ...TOPIC, name }),
        "INVALID_SLUG",
        `writing ${JSON.stringify(name)}`,
      );
      await expectCode(
        () => store.remove({ ...TOPIC, name }),
        "INVALID_SLUG",
        `removing ${JSON.stringify(name)}`,
      );
    }
  },
  "rejects new names that some file system does not accept": async (createStore) => {
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
      await expectCode(
        () => store.write({ ...TOPIC, name }),
        "INVALID_SLUG",
        `writing ${JSON.stringify(name)}`,
      );
    }
  },
  "accepts names in any script": async (createStore) => {
    const store = await createStore({});
    for (const name of ["größe", "日本語", "مرحبا", "हिन्दी", "123", "true", "null", "two words"]) {
      await writeNew(store, { ...TOPIC, name });
      expectEqual((await readExisting(store, name)).topic.name, name, "the name in the header");
    }
    expectEqual(slugs(await store.index()).length, 8, "a line for each");
  },
  "treats names that differ only in case as one topic": async (createStore) => {
    const store = await createStore({});
    const { hash } = await writeNew(store, TOPIC);
    const other = await store.write({ ...TOPIC, name: "Deploy-Checklist" });
    expectEqual(summary(other), ["conflict", "exists", hash], "the topic exists");
    expectEqual(
      (await readExisting(store, "DEPLOY-CHECKLIST")).slug,
      TOPIC.name,
      "the topic is found",
    );
  },
  "rejects invalid descriptions and bodies": async (createStore) => {
    const store = await createStore({});
    for (const description of ["", " ", "two\nlines", "a\u001Bb", "x".repeat(121)]) {
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
  "rejects secrets unless the user insists": async (createStore) => {
    const store = await createStore({});
    const body = ["The key is AK", "IAQWERTYUIOPASDFGH."].join("");
    await expectCode(() => store.write({ ...TOPIC, body }), "SECRET_FOUND", "a key in the body");
    expectEqual((await store.list()).topics.length, 0, "nothing was written");
    await writeNew(store, { ...TOPIC, body, allowSecrets: true });
  },
};
