import { realPathIfExists } from "@caliban/common/node";
import { redactSecrets } from "@caliban/common/secrets";
import type { Host } from "../../host.ts";

/** The home of a project is named after the path of its directory, which usually contains the user's name. */
const PROJECT_HOME = /(caliban([\\/])projects\2)[^\\/\s"'<>]+/g;

/** Removes from a text what must not leave this machine: secrets, and the home directory with the user's name. */
export function redactText({ home }: Pick<Host, "home">): (text: string) => Promise<string> {
  const homes = home === undefined || home === "/" ? [] : homeSpellings(home);
  return async (text) => {
    const { text: redacted } = await redactSecrets(text);
    const hidden = homes.reduce((left, each) => left.replaceAll(each, "~"), redacted);
    return hidden.replaceAll(PROJECT_HOME, "$1…");
  };
}

/** Paths of a workspace are real ones, also where the home directory is a link. The longest one first. */
function homeSpellings(home: string): readonly string[] {
  const real = realPathIfExists(home) ?? home;
  return [...new Set([home, real])].toSorted((one, other) => other.length - one.length);
}
