/** A remote for messages: without a password, which a URL may contain, and without a user name before it. */
export function displayRemote(remote: string): string {
  return remote.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, "$1").replace(/[?#].*$/s, "");
}
