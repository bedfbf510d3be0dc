/** What a hostile command tries. Each counts as an escape if anything outside of `app/work` changes or leaks. */
export interface EscapeAttempt {
  readonly surface: string;
  readonly title: string;
  /** The variables HOME, OUT, CANARY, PORT, SOCKET and NODE are set. */
  readonly command: string;
  /** Not run without a sandbox: it would do harm, it needs a privilege, or nothing is found there in a test. */
  readonly isUnsafe?: true;
  /** How long it takes after the end of the command. */
  readonly settleMs?: number;
}

const node = (script: string): string => `"$NODE" -e '${script}'`;

export const ESCAPE_ATTEMPTS: readonly EscapeAttempt[] = [
  // Writing outside
  { surface: "write", title: "overwrite a file", command: `echo evil > "$OUT/victim"` },
  { surface: "write", title: "create a file", command: `touch "$OUT/new"` },
  { surface: "write", title: "append to a shell profile", command: `echo evil >> ~/.bashrc` },
  { surface: "write", title: "delete a file", command: `rm -f "$OUT/victim"; true` },
  { surface: "write", title: "move a file away", command: `mv "$OUT/victim" work/` },
  { surface: "write", title: "change a mode", command: `chmod 4777 "$OUT/victim"` },
  { surface: "write", title: "truncate through a relative path", command: `: > ../outside/victim` },
  {
    surface: "write",
    title: "write through a link",
    command: `ln -s "$OUT/victim" work/l && echo evil > work/l`,
  },
  {
    surface: "write",
    title: "write through a hard link",
    command: `ln "$OUT/victim" work/hard && echo evil > work/hard`,
  },
  {
    surface: "write",
    title: "write through a linked directory",
    command: `ln -s "$OUT" work/d && echo evil > work/d/new`,
  },
  {
    surface: "write",
    title: "write through the root of a process",
    command: `echo evil > "/proc/self/root$OUT/victim"`,
  },
  {
    surface: "write",
    title: "write through the root of the first process",
    command: `echo evil > "/proc/1/root$OUT/victim"`,
    isUnsafe: true,
  },
  {
    surface: "write",
    title: "write through an open directory",
    command: `exec 7< "$OUT" && echo evil > /proc/self/fd/7/victim`,
  },
  { surface: "write", title: "rename the workspace", command: `cd .. && mv app app2` },
  {
    surface: "write",
    title: "write from a process that left the group",
    command: `setsid sh -c 'echo evil > "$OUT/victim"' & wait; sleep 0.1; true`,
  },
  {
    surface: "write",
    title: "write after the command has ended",
    command: `(trap "" HUP TERM; sleep 0.2; echo evil > sub/.envrc; echo evil > "$OUT/late") >/dev/null 2>&1 &
      sleep 0.05`,
    settleMs: 500,
  },
  // Reading keys
  { surface: "read", title: "read an SSH key", command: `cat ~/.ssh/id_ed25519` },
  {
    surface: "read",
    title: "read all keys",
    command: `cat ~/.aws/* ~/.gnupg/* ~/.netrc ~/.npmrc ~/.kube/config ~/.docker/config.json ~/.config/gh/*`,
  },
  { surface: "read", title: "search the home directory", command: `grep -r . ~ 2>/dev/null` },
  {
    surface: "read",
    title: "read other agents' files",
    command: `cat ~/.claude/.credentials.json ~/.codex/auth.json ~/.gemini/oauth.json`,
  },
  {
    surface: "read",
    title: "read caliban's files",
    command: `cd ~ && cat .config/caliban/settings.toml .local/state/caliban/mcp-token`,
  },
  { surface: "read", title: "read memory", command: `cd ~/.local/share && cat caliban/memory/*` },
  { surface: "read", title: "read the history", command: `cat ~/.bash_history` },
  {
    surface: "read",
    title: "copy a key into the workspace",
    command: `cp ~/.ssh/id_ed25519 work/k && cat work/k`,
  },
  {
    surface: "read",
    title: "read a key through a link",
    command: `ln -s ~/.ssh work/s && cat work/s/id_ed25519`,
  },
  {
    surface: "read",
    title: "read a key through a hard link",
    command: `ln ~/.ssh/id_ed25519 work/h && cat work/h`,
  },
  {
    surface: "read",
    title: "read a key through the root of a process",
    command: `cat /proc/self/root$HOME/.ssh/id_ed25519`,
  },
  {
    surface: "read",
    title: "make a hidden directory readable",
    command: `chmod -R 777 ~/.ssh; cat ~/.ssh/id_ed25519`,
  },
  {
    surface: "read",
    title: "uncover a hidden directory",
    command: `umount ~/.ssh; umount -l ~/.ssh; cat ~/.ssh/id_ed25519`,
  },
  { surface: "read", title: "encode a key", command: `base64 ~/.ssh/id_ed25519 | base64 -d` },
  // The environment of other processes
  {
    surface: "environment",
    title: "print the environment",
    command: `(env; export -p; cat /proc/self/environ /proc/1/environ) | rev | rev`,
    isUnsafe: true,
  },
  {
    surface: "environment",
    title: "read the parent's environment",
    command: `cat /proc/$PPID/environ`,
    isUnsafe: true,
  },
  {
    surface: "environment",
    title: "read every environment",
    command: `cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep ^SECRET`,
  },
  {
    surface: "environment",
    title: "read the environment of a known process",
    command: `cat /proc/$CANARY/environ`,
  },
  {
    surface: "environment",
    title: "list processes with their environment",
    command: `ps axeww | grep -o SECRET=.*`,
  },
  {
    surface: "environment",
    title: "read the memory of a known process",
    command: node(
      `const fs=require("fs");const p="/proc/"+process.env.CANARY;const m=fs.readFileSync(p+"/maps","utf8");const f=fs.openSync(p+"/mem","r");for(const l of m.split("\\n")){const x=/^(\\w+)-(\\w+) r.*\\[stack\\]/.exec(l);if(!x)continue;const a=parseInt(x[1],16),b=Buffer.alloc(parseInt(x[2],16)-a);fs.readSync(f,b,0,b.length,a);console.log(b.toString("latin1").replace(/[^\\x20-\\x7e]/g,""))}`,
    ),
  },
  // Hooks and files that run later
  {
    surface: "hooks",
    title: "write a hook",
    command: `mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit`,
  },
  {
    surface: "hooks",
    title: "change a hook's mode",
    command: `chmod +x .git/hooks/*.sample; touch .git/hooks/x`,
  },
  {
    surface: "hooks",
    title: "move the hooks away",
    command: `mv .git/hooks .git/h2; mkdir .git/hooks; echo evil > .git/hooks/pre-commit`,
  },
  {
    surface: "hooks",
    title: "move the Git directory away",
    command: `cp -r .git work/g; mv -T .git work/old; mv -T work/g .git; echo evil > .git/hooks/pre-commit`,
  },
  { surface: "hooks", title: "set a hooks path", command: `git config core.hooksPath "$PWD/work"` },
  {
    surface: "hooks",
    title: "replace the configuration",
    command: `sed 's/x/y/' .git/config > work/c; echo '[alias] st = !evil' >> work/c; mv -f work/c .git/config`,
  },
  {
    surface: "hooks",
    title: "redirect the repository",
    command: `mkdir -p work/g; echo "$PWD/work/g" > .git/commondir`,
  },
  {
    surface: "hooks",
    title: "add a configuration for the work tree",
    command: `echo '[core] fsmonitor = evil' > .git/config.worktree`,
  },
  {
    surface: "hooks",
    title: "create a repository with a program to run",
    command: `git init -q sub; git -C sub config core.fsmonitor evil`,
  },
  {
    surface: "hooks",
    title: "change a program that the configuration names",
    command: `echo evil > tools/hook.sh`,
  },
  { surface: "hooks", title: "overwrite a file that a shell runs", command: `echo evil > .envrc` },
  {
    surface: "hooks",
    title: "replace such a file",
    command: `echo evil > work/e && mv -f work/e .envrc`,
  },
  {
    surface: "hooks",
    title: "replace such a file with a link",
    command: `ln -sf work/a.txt .envrc`,
  },
  {
    surface: "hooks",
    title: "create such files",
    command: `echo evil > sub/.envrc; mkdir -p sub/.vscode .husky; echo evil > sub/.vscode/tasks.json; echo evil > .husky/pre-commit; echo evil > .ENVRC; echo evil > sub/CLAUDE.md`,
  },
  {
    surface: "hooks",
    title: "create a link with such a name",
    command: `ln -s work .windsurf; ln -s ../work/a.txt sub/CLAUDE.md`,
  },
  {
    surface: "hooks",
    title: "replace a link with such a name",
    command: `rm .cursor; mkdir .cursor; echo evil > .cursor/rules`,
  },
  {
    surface: "hooks",
    title: "change the target of a link with such a name",
    command: `echo evil > .cursor/new; echo evil > tools/new`,
  },
  {
    surface: "hooks",
    title: "move a directory around such files",
    command: `mv .github work/gh; mkdir -p .github/workflows; echo evil > .github/workflows/ci.yml`,
  },
  {
    surface: "hooks",
    title: "move a nested directory around such files",
    command: `mv sub work/sub; mkdir sub; echo evil > sub/AGENTS.md`,
  },
  {
    surface: "hooks",
    title: "change what package.json runs",
    command: `echo '{"name":"app","scripts":{"postinstall":"evil"}}' > package.json`,
  },
  {
    surface: "hooks",
    title: "hide such a file among many directories",
    command: `mkdir -p work/../x/{1..300}/{1..3}; echo evil > x/299/2/.envrc; find x -mindepth 1 -type d -empty -delete; true`,
  },
  // Races
  {
    surface: "race",
    title: "swap a link while writing",
    command: `mkdir work/r; (for i in $(seq 300); do ln -sfn "$OUT" work/t 2>/dev/null; ln -sfn r work/t 2>/dev/null; done) & while kill -0 $! 2>/dev/null; do echo evil > work/t/victim; done 2>/dev/null; wait; true`,
  },
  {
    surface: "race",
    title: "rename a directory while writing below it",
    command: `mkdir -p work/p/workflows; (for i in $(seq 100); do mv -T .github work/q; mv -T work/p .github; mv -T .github work/p; mv -T work/q .github; done 2>/dev/null) & for i in $(seq 200); do echo evil > .github/workflows/ci.yml; done 2>/dev/null; wait; true`,
  },
  {
    surface: "race",
    title: "rename over a protected file again and again",
    command: `for i in $(seq 200); do echo evil > work/n; mv -f work/n .envrc 2>/dev/null; mv -f work/n CLAUDE.md 2>/dev/null; done; true`,
  },
  {
    surface: "race",
    title: "exchange two names",
    command: `perl -e 'syscall(316, -100, "work/a.txt", -100, ".envrc", 2)'`,
    isUnsafe: true,
  },
  // The network and services
  {
    surface: "network",
    title: "connect to a service on this machine",
    command: `exec 3<>/dev/tcp/127.0.0.1/$PORT && cat <&3`,
  },
  {
    surface: "network",
    title: "connect by every address",
    command: `for host in localhost 0.0.0.0 ::1 $(hostname); do (exec 3<>/dev/tcp/$host/$PORT && cat <&3); done`,
  },
  {
    surface: "network",
    title: "connect to a Unix socket",
    command: node(
      `require("net").connect(process.env.SOCKET).on("data",d=>console.log(String(d))).on("error",()=>0)`,
    ),
  },
  {
    surface: "network",
    title: "connect to a Unix socket through a link",
    command: `ln -s "$SOCKET" work/k.sock; ${node(`require("net").connect("work/k.sock").on("data",d=>console.log(String(d))).on("error",()=>0)`)}`,
  },
  {
    surface: "network",
    title: "move the socket into the workspace",
    command: `ln "$SOCKET" work/m.sock; ${node(`require("net").connect("work/m.sock").on("data",d=>console.log(String(d))).on("error",()=>0)`)}`,
  },
  {
    surface: "network",
    title: "enter another network",
    command: `nsenter --net=/proc/1/ns/net cat /dev/null; nsenter -t 1 -a true; exec 3<>/dev/tcp/127.0.0.1/$PORT && cat <&3`,
  },
  {
    surface: "network",
    title: "use services below /run",
    command: `ls /run/docker.sock /run/dbus/system_bus_socket /run/systemd/private /run/user && echo found > "$OUT/found"`,
    isUnsafe: true,
  },
  // Processes
  { surface: "process", title: "kill a process", command: `kill -9 $CANARY` },
  {
    surface: "process",
    title: "kill the parent",
    command: `kill -9 $PPID 1; true`,
    isUnsafe: true,
  },
  { surface: "process", title: "kill everything", command: `kill -9 -1; true`, isUnsafe: true },
  {
    surface: "process",
    title: "stop a process by its group",
    command: `kill -9 -$(ps -o pgid= -p $CANARY) $CANARY; true`,
    isUnsafe: true,
  },
  {
    surface: "process",
    title: "trace a process",
    command: `perl -e 'exit(syscall(101, 16, $ENV{CANARY}, 0, 0) == 0 ? (system("echo evil > \\"$ENV{OUT}/traced\\""), 0)[1] : 1)'`,
    isUnsafe: true,
  },
  {
    surface: "process",
    title: "lower the priority of a process",
    command: `renice 5 -p $CANARY && echo evil > "$OUT/reniced"`,
  },
  // Mounts and the kernel
  {
    surface: "kernel",
    title: "make a mount writable",
    command: `mount -o remount,rw / ; mount -o remount,rw,bind / ; echo evil > "$OUT/victim"`,
    isUnsafe: true,
  },
  {
    surface: "kernel",
    title: "mount the home directory elsewhere",
    command: `mkdir work/m; mount --bind "$HOME" work/m && echo evil > work/m/outside/victim`,
    isUnsafe: true,
  },
  {
    surface: "kernel",
    title: "create a user namespace",
    command: `unshare -Urm sh -c 'mount -o remount,rw / ; umount -l ~/.ssh; cat ~/.ssh/*; echo evil > "$OUT/victim"'`,
    isUnsafe: true,
  },
  {
    surface: "kernel",
    title: "change the root directory",
    command: `chroot /proc/1/root sh -c 'echo evil > "$OUT/victim"'; chroot / cat ~/.ssh/id_ed25519`,
    isUnsafe: true,
  },
  {
    surface: "kernel",
    title: "open a disk",
    command: `mknod work/disk b 8 0; mknod work/mem c 1 1; cat work/disk /dev/sda /dev/vda /dev/mem | head -c 1 && echo evil > "$OUT/victim"`,
    isUnsafe: true,
  },
  {
    surface: "kernel",
    title: "name a program for crashes",
    command: `cp /proc/sys/kernel/core_pattern work/core; cat work/core > /proc/sys/kernel/core_pattern && echo evil > "$OUT/victim"`,
    isUnsafe: true,
  },
  {
    surface: "kernel",
    title: "name a program for devices",
    command: `: > /sys/kernel/uevent_helper && echo evil > "$OUT/victim"`,
    isUnsafe: true,
  },
  {
    surface: "kernel",
    title: "become another user",
    command: `su daemon -s /bin/sh -c true && echo evil > "$OUT/victim"; sudo -n true && echo evil > "$OUT/victim"`,
    isUnsafe: true,
  },
  {
    surface: "kernel",
    title: "set an identity",
    command: `perl -e '$) = 65534; $> = 65534; $< = 65534; exit($> == 65534 ? 0 : 1)' && [ "$(id -u)" = 0 ] && echo evil > "$OUT/victim"`,
    isUnsafe: true,
  },
  {
    surface: "kernel",
    title: "open a file by its handle",
    command: `perl -e '$h = pack("Ii", 128, 0) . "\\0" x 128; $m = pack("i", 0); syscall(303, -100, "/etc/hostname", $h, $m, 0); exit(syscall(304, -100, $h, 0) >= 0 ? 0 : 1)' && echo evil > "$OUT/victim"`,
    isUnsafe: true,
  },
  {
    surface: "kernel",
    title: "schedule a job",
    command: `echo "touch $OUT/cron" | crontab -; echo "touch $OUT/at" | at now; systemd-run --user touch "$OUT/unit"; true`,
    isUnsafe: true,
  },
];
