const NEEDED = { major: 22, minor: 19 } as const;

/** A sentence for those whose Node is too old; `undefined` when it will do. */
export function unsupportedNodeMessage(version: string): string | undefined {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  if (major > NEEDED.major || (major === NEEDED.major && minor >= NEEDED.minor)) return undefined;
  return `caliban needs Node ${NEEDED.major}.${NEEDED.minor} or newer, and this is ${version}; install a newer Node and run it again.\n`;
}
