import { describe, expect, it } from "vitest";
import {
  findWorkspaceMentions,
  type WorkspaceNames,
} from "../../src/project/workspace-mentions.ts";

const names: WorkspaceNames = {
  paths: ["/home/me/src/shop"],
  remotes: ["git@github.com:acme/shop-web.git"],
  home: "/home/me",
  style: "posix",
};

describe("findWorkspaceMentions", () => {
  it.for([
    ["Tests are in /home/me/src/shop/test.", "/home/me/src/shop"],
    ["cd ~/src/shop first", "~/src/shop"],
    ["cd $HOME/src/shop first", "$HOME/src/shop"],
    ["(see `~/src/shop`)", "~/src/shop"],
    ["~/SRC/Shop", "~/SRC/Shop"],
    ["Clone https://github.com/acme/shop-web", "https://github.com/acme/shop-web"],
    ["git@github.com:acme/shop-web.git", "git@github.com:acme/shop-web.git"],
    ["ssh://git@github.com/acme/shop-web.git", "ssh://git@github.com/acme/shop-web.git"],
    ["In Acme/Shop-Web we deploy on Fridays", "Acme/Shop-Web"],
    ["github.com/acme/shop-web/issues/4", "github.com/acme/shop-web"],
  ] as const)("finds the workspace in %j", ([text, mention]) => {
    expect(findWorkspaceMentions(text, names)).toEqual([mention]);
  });

  it.for([
    "I prefer tabs in every project",
    "Always shop around",
    "/home/me/src/shopping",
    "/backup/home/me/src/shop-old",
    "acme/shop-web-legacy and other-acme/shop-web",
    "~/src/other, acme/other",
  ])("finds nothing in %j", (text) => {
    expect(findWorkspaceMentions(text, names)).toEqual([]);
  });

  it("finds a path of Windows with either slash", () => {
    const windows: WorkspaceNames = {
      paths: [String.raw`C:\Users\me\shop`],
      remotes: [],
      home: String.raw`C:\Users\me`,
      style: "windows",
    };
    const texts = [String.raw`c:\users\me\shop`, "C:/Users/me/shop", String.raw`~\shop`];
    for (const text of texts) expect(findWorkspaceMentions(text, windows)).toEqual([text]);
  });

  it("finds a remote that is a directory on this machine", () => {
    const local = { ...names, remotes: ["/srv/git/shop.git"] };
    expect(findWorkspaceMentions("Push to /srv/git/shop.git!", local)).toEqual([
      "/srv/git/shop.git",
    ]);
  });

  it("never takes the home directory for a workspace", () => {
    const home = { ...names, paths: ["/home/me"], remotes: [] };
    expect(findWorkspaceMentions("Dotfiles are in ~/.config and /home/me/bin", home)).toEqual([]);
  });

  it("takes the last two parts of a remote in nested groups for its name", () => {
    const nested = { ...names, remotes: ["https://gitlab.example/team/backend/shop.git"] };
    expect(findWorkspaceMentions("backend/shop uses tabs", nested)).toEqual(["backend/shop"]);
  });
});
