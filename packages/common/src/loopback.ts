/**
 * Whether a URL points at this machine: `localhost` and names below it, `127.0.0.0/8` and `::1`. The parser of URLs has
 * already brought other spellings, such as `127.1` or upper case, into these forms.
 */
export function isLoopback({ hostname }: Pick<URL, "hostname">): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
