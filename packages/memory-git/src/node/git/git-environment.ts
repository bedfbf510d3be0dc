import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "@caliban/common";

// What runs a program, asks a question, or does more than it was told.
const SETTINGS: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.attributesFile=/dev/null",
  "core.alternateRefsCommand=",
  "core.logAllRefUpdates=false",
  "core.fsync=committed",
  "commit.gpgSign=false",
  "push.gpgSign=false",
  "push.followTags=false",
  "push.recurseSubmodules=no",
  "fetch.recurseSubmodules=false",
  "fetch.writeCommitGraph=false",
  "fetch.unpackLimit=1",
  "transfer.bundleURI=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "log.showSignature=false",
  "i18n.commitEncoding=UTF-8",
  "i18n.logOutputEncoding=UTF-8",
  "user.useConfigOnly=true",
  "gpg.program=false",
  "gpg.openpgp.program=false",
  "gpg.x509.program=false",
];

// In the background, no one answers.
const WITHOUT_QUESTIONS: readonly string[] = ["core.askPass=", "credential.interactive=never"];

export function gitArguments(repository: string, isInteractive: boolean): readonly string[] {
  const settings = isInteractive ? SETTINGS : [...SETTINGS, ...WITHOUT_QUESTIONS];
  return [
    "--no-pager",
    "--no-replace-objects",
    `--git-dir=${repository}`,
    ...settings.flatMap((setting) => ["-c", setting]),
  ];
}

// Of git's own variables, only these reach it: others point to the repository that the user is in.
const KEPT =
  /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|SSL_\w+|HTTP_\w+|PROXY_\w+|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|EXEC_PATH)$/;

export function gitEnvironment(env: Environment, isInteractive: boolean): Environment {
  const kept = Object.entries(env).filter(
    ([name, value]) => value !== undefined && (!name.startsWith("GIT_") || KEPT.test(name)),
  );
  return {
    ...Object.fromEntries(kept),
    PATH: trustedPath(env["PATH"] ?? ""),
    LC_ALL: "C",
    LANGUAGE: "",
    GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_DEFAULT_REF_FORMAT: "files",
    ...(isInteractive
      ? {}
      : {
          GIT_TERMINAL_PROMPT: "0",
          GIT_ASKPASS: "",
          SSH_ASKPASS: "",
          SSH_ASKPASS_REQUIRE: "never",
        }),
  };
}

/** Without what a project can put there. */
function trustedPath(path: string): string {
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !entry.endsWith(join("node_modules", ".bin")))
    .join(delimiter);
}
