import { commandParts, createCommandMatcher, type SandboxAccess } from "@caliban/agent-core";

/** What a command needs beyond reading files. `network` is more than the sandbox allows, unless hosts are allowed. */
type Need = "nothing" | "write" | "network" | "outside";

/**
 * The beginnings of commands, by what they need. The first row that matches decides, so exceptions come first. Commands
 * that are not listed are tried in the sandbox.
 */
const TEXTS: readonly (readonly [Need, readonly string[]])[] = [
  [
    "nothing",
    [
      "git {branch,remote,tag,config,stash,worktree} {-l,-v,-vv,-a,-r,-n,--list,--show-current,--contains,--merged,--get,list,show,get-url}",
      "git {branch,remote,tag}$",
      "tsc* --noEmit",
      "{black,isort,ruff,oxfmt,rustfmt,cargo fmt,gofmt}* {--check,--diff,-l,-d}",
      "tee /dev/{null,stdout,stderr}",
      "tar {t,-t}*",
      "{npm,pnpm,yarn,bun} {test,t,run test,run lint,run check,run typecheck,ls,list,why,root,bin}",
    ],
  ],
  [
    "outside",
    [
      "{sudo,doas,su,mount,umount,systemctl,service,launchctl,crontab,at}",
      "{apt,apt-get,dnf,yum,pacman,apk,snap,flatpak,brew}",
      "{docker,docker-compose,podman,nerdctl,kubectl,minikube}",
      "{open,xdg-open,osascript,code,cursor,adb,xcodebuild}",
      "{kill,pkill,killall,nohup,setsid,tmux,screen}",
      // These rewrite the work tree, and would stop halfway at a file that is read-only.
      "git {checkout,switch,merge,rebase,pull,reset,restore,stash,cherry-pick,revert,am,apply,bisect}",
      // These write the configuration.
      "git {config,remote,init,worktree,submodule,sparse-checkout,filter-branch,maintenance}",
      "git branch {-u,--set-upstream*}",
    ],
  ],
  [
    "network",
    [
      "{curl,wget,http,https,ssh,scp,sftp,ftp,telnet,nc,ncat,ping,dig,nslookup,host,rsync}",
      "{gh,glab,hub,aws,gcloud,az,helm,terraform,heroku,vercel,netlify,fly,flyctl,firebase,supabase,wrangler}",
      "git {push,fetch,clone,ls-remote,lfs}",
      "{npm,pnpm,yarn,bun} {install,i,ci,add,remove,uninstall,update,up,upgrade,publish,login,outdated,audit,view,info,search,dlx,create,init}",
      "{pnpm,yarn,bun}$",
      "{pip,pip3,uv,uv pip,poetry,pipenv,conda,gem,bundle,composer,pdm} {install,add,remove,sync,lock,update,upgrade,download,publish}",
      "cargo {install,fetch,add,update,publish,search}",
      "go {get,install,mod download,mod tidy,mod vendor}",
      "dotnet {restore,add,publish}",
      "{npx,bunx,uvx,pnpx,pipx} create*",
    ],
  ],
  [
    "write",
    [
      "{mkdir,touch,mv,cp,rm,rmdir,ln,install,patch,unzip,truncate,dd,chmod,chown,shred,gzip,gunzip,zip,tar,tee}",
      "git {add,commit,rm,mv,clean,notes,tag,branch,gc,repack,update-index,update-ref}",
      "{npm,pnpm,yarn,bun} {build,run build,run compile,run bundle,run generate,run codegen,run format,run fmt,run fix,run clean,run release,version,pkg,link,rebuild,prune}*",
      "{npm,pnpm,yarn,bun} run *{:fix,:write,:build}",
      "{eslint,oxlint,stylelint,ruff}* --fix*",
      "{prettier,biome,gofmt}* {-w,--write}",
      "{black,isort,oxfmt,rustfmt,tsc,ruff format}",
      // It writes its configuration to node_modules before it starts.
      "vitest",
      "jest* {-u,--update*}",
      "{sed,perl} -i*",
      "{sed,perl} * -i*",
      "{vite,next,nuxt,astro} build",
      "{make,cmake,ninja,mvn,gradle,gradlew,javac,gcc,g++,clang,rustc,bazel,sbt}",
      "{webpack,rollup,tsdown,tsup,esbuild,parcel,turbo,nx,prisma,alembic,rake}",
      "cargo {build,b,run,r,test,t,check,c,clippy,bench,doc,fmt,fix,clean,new,init}",
      "go {build,generate,fmt,run,mod,fix}",
      "dotnet {build,test,run,clean,new,format}",
    ],
  ],
];

const NEEDS = TEXTS.map(([need, texts]) => [need, texts.flatMap(toPatterns)] as const);

// Everything but a descriptor, a device, or a temporary file.
const REDIRECTION = />{1,2}\|?\s*(?!&|\/dev\/|\/tmp\/|\$\{?TMPDIR\b)[^\s>&]/;

// A single ampersand. What runs in the background ends with the sandbox.
const BACKGROUND = /(?<![&>|\\])&(?![&>])/;

/**
 * Guesses what a command needs from its text, so that it is not run in vain. A wrong guess does no harm: too much asks a
 * question that might not be needed, too little runs the command in a sandbox in which it fails.
 */
export function commandNeeds(
  command: string,
  { hasNetwork }: { readonly hasNetwork: boolean },
): SandboxAccess {
  const plain = withoutQuotedText(command);
  const needs = new Set(commandParts(plain).map(partNeeds));
  if (needs.has("outside") || runsInBackground(plain)) return "outside";
  if (needs.has("network")) return hasNetwork ? "workspace" : "outside";
  return needs.has("write") || REDIRECTION.test(plain) ? "workspace" : "read-only";
}

function partNeeds(part: string): Need {
  const matches = createCommandMatcher(part);
  return NEEDS.find(([, patterns]) => patterns.some(matches))?.[0] ?? "nothing";
}

function runsInBackground(plain: string): boolean {
  return BACKGROUND.test(plain) && !/\bwait\b/.test(plain);
}

/** In quotes, an ampersand or an arrow means nothing. Quotes around a plain word change nothing. */
function withoutQuotedText(command: string): string {
  return command.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, (text) =>
    /^.[\w./:@=+-]*.$/.test(text) ? text.slice(1, -1) : "_",
  );
}

/** Turns `{npm,yarn} add` into `npm add *` and `yarn add *`. A dollar sign means the end of the command. */
export function toPatterns(text: string): readonly string[] {
  const braces = /\{([^{}]*)\}/.exec(text);
  if (braces !== null) {
    const { 0: all, 1: inside = "", index } = braces;
    const rest = text.slice(index + all.length);
    return inside.split(",").flatMap((choice) => toPatterns(text.slice(0, index) + choice + rest));
  }
  if (text.endsWith("$")) return [text.slice(0, -1), `${text.slice(0, -1)} `];
  return [text.endsWith("*") ? text : `${text} *`];
}
