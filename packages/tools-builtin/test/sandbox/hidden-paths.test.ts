import { describe, expect, it } from "vitest";
import { hiddenPathsOf } from "../../src/sandbox/hidden-paths.ts";

describe("the paths of a user that commands cannot read", () => {
  it("include keys in the home directory", () => {
    expect(hiddenPathsOf("/home/me", {})).toEqual(
      expect.arrayContaining(["/home/me/.ssh", "/home/me/.config/gh"]),
    );
  });

  it("include what the user's variables move elsewhere or name", () => {
    const env = {
      XDG_CONFIG_HOME: "/data/config",
      KUBECONFIG: "/srv/kube/a:/srv/kube/b",
      GOOGLE_APPLICATION_CREDENTIALS: "/srv/key.json",
    };
    expect(hiddenPathsOf("/home/me", env)).toEqual(
      expect.arrayContaining([
        "/data/config/gh",
        "/srv/kube/a",
        "/srv/kube/b",
        "/srv/key.json",
        "/home/me/.config/gh",
      ]),
    );
  });

  it.for(["/", "/home", "/home/me", "key.json", "", "/etc"])(
    "do not include %j, whatever a variable says",
    (value) => {
      const env = { CODEX_HOME: value, XDG_DATA_HOME: "" };
      expect(hiddenPathsOf("/home/me", env)).toEqual(hiddenPathsOf("/home/me", {}));
    },
  );
});
