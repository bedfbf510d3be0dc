/** A place in a command line: `["memory", "write"]`, or none for its beginning. */
export interface Place {
  readonly path: readonly string[];
  /** Other names for the last part of the path. */
  readonly aliases: readonly string[];
  /** The commands and options that can follow. */
  readonly words: readonly string[];
  /** Whether what follows is listed by `caliban completion SHELL -- WORDS`. */
  readonly isLookedUp: boolean;
}

/**
 * A script for each shell. Words from a table are part of it; caliban is started only for names of topics and the like,
 * and after an option. What it prints is data: no shell may expand it.
 */
export const SHELL_SCRIPTS: ReadonlyMap<string, (places: readonly Place[]) => string> = new Map([
  ["bash", bashScript],
  ["zsh", zshScript],
  ["fish", fishScript],
]);

/** A word that is neither an option nor a known path leaves the path as it is, so values of options do no harm. */
function bashScript(places: readonly Place[]): string {
  return `_caliban() {
  local path="" word words="" lookup="" current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
${pathCases(places, (name) => `path="${name}"`)}
    esac
  done
  case "$path" in
${wordCases(places, (words) => `words="${words}"`)}
  esac
  COMPREPLY=()
  # Where only names make sense, a file does not.
  [[ -n $lookup && \${COMP_WORDS[COMP_CWORD-1]} != -* ]] && compopt +o default 2>/dev/null
  if [[ $current != -* && ( -n $lookup || \${COMP_WORDS[COMP_CWORD-1]} == -* ) ]]; then
    while IFS= read -r word; do
      [[ $word == "$current"* ]] && COMPREPLY+=("$(printf %q "$word")")
    done < <(command caliban completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}
complete -o default -F _caliban caliban
`;
}

function zshScript(places: readonly Place[]): string {
  return `#compdef caliban
_caliban() {
  local at="" word list="" lookup=""
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
${pathCases(places, (name) => `at="${name}"`)}
    esac
  done
  case "$at" in
${wordCases(places, (words) => `list="${words}"`)}
  esac
  if [[ "\${words[CURRENT]}" != -* && ( -n $lookup || "\${words[CURRENT-1]}" == -* ) ]]; then
    found=("\${(@f)$(command caliban completion zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null </dev/null)}")
    found=("\${(@)found:#}")
  else
    found=(\${=list})
  fi
  compadd -a found || compadd -M 'l:|=* r:|=*' -a found || [[ -n $lookup && "\${words[CURRENT-1]}" != -* ]] || _files
}
if [[ "$funcstack[1]" == _caliban ]]; then
  _caliban "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _caliban caliban
fi
`;
}

function fishScript(places: readonly Place[]): string {
  return `function __caliban_words
  set -l at ""
  set -l lookup ""
  set -l typed (commandline -opc)[2..-1]
  set -l current (commandline -ct)
  for word in $typed
    switch "$at $word"
${places
  .filter(({ path }) => path.length > 0)
  .map((place) => `      case ${patterns(place, " ")}\n        set at "${spaced(place.path)}"`)
  .join("\n")}
    end
  end
  switch "$at"
${lookedUp(places, " ", (all) => `    case ${all}\n      set lookup yes`)}
  end
  set -l last "$typed[-1]"
  if not string match -q -- "-*" "$current"; and begin; test -n "$lookup"; or string match -q -- "-*" "$last"; end
    set -l found (command caliban completion fish -- $typed "$current" 2>/dev/null </dev/null)
    if test (count $found) -gt 0
      printf "%s\\n" $found
    else if test -z "$lookup"; or string match -q -- "-*" "$last"
      __fish_complete_path "$current"
    end
    return
  end
  switch "$at"
${places.map(({ path, words }) => `    case "${spaced(path)}"\n      string split " " -- "${words.join(" ")}"`).join("\n")}
  end
end
complete -c caliban -f -a "(__caliban_words)"
`;
}

function pathCases(places: readonly Place[], set: (name: string) => string): string {
  return places
    .filter(({ path }) => path.length > 0)
    .map((place) => `      ${patterns(place, "|")}) ${set(spaced(place.path))} ;;`)
    .join("\n");
}

function wordCases(places: readonly Place[], set: (words: string) => string): string {
  return places
    .map(({ path, words, isLookedUp }) => {
      const lookup = isLookedUp ? "; lookup=yes" : "";
      return `    "${spaced(path)}") ${set(words.join(" "))}${lookup} ;;`;
    })
    .join("\n");
}

function lookedUp(
  places: readonly Place[],
  separator: string,
  render: (patterns: string) => string,
): string {
  const all = places.filter(({ isLookedUp }) => isLookedUp);
  return render(all.map(({ path }) => `"${spaced(path)}"`).join(separator));
}

/** The path, and the same with each alias in place of its last part. */
function patterns({ path, aliases }: Place, separator: string): string {
  const spelled = [path, ...aliases.map((alias) => [...path.slice(0, -1), alias])];
  return spelled.map((each) => `"${spaced(each)}"`).join(separator);
}

/** ` memory write`: with a leading space, as the scripts join words. */
function spaced(path: readonly string[]): string {
  return path.map((name) => ` ${name}`).join("");
}
