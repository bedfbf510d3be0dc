import { expect, it } from "vitest";
import { interceptedDisk } from "../intercepted-disk.ts";
import { storeHome } from "../store-home.ts";
import { topic } from "../topic-input.ts";

it.for(["EEXIST", "EIO"])(
  "writes a topic if the file system links every file and loses the reply (%s)",
  async (code) => {
    const home = await storeHome();
    const after = ({ name }: { readonly name: string }): void => {
      if (name === "link") throw Object.assign(new Error(code), { code });
    };
    const store = home.open({ disk: interceptedDisk({ after }) });
    expect(await store.write(topic("known", "Old."))).toMatchObject({ kind: "written" });
    const seen = await store.read("known");
    const result = await store.write({ ...topic("known", "New."), ifMatch: seen?.hash });
    expect(result).toMatchObject({ kind: "written", isNew: false });
    expect((await store.log()).map(({ who }) => who)).toEqual(["agent", "agent"]);
    expect(await home.names()).toEqual(["MEMORY.md", "known.md"]);
  },
);
