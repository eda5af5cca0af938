import type { Duplex, Readable } from "node:stream";
import { type About, DiskFull, SshFailure } from "../remote.ts";
import { atMost } from "./at-most.ts";
import { AGENT_PATH, type SshConnection } from "./connection.ts";

/** The programs that the panel puts on a server, as texts. */
export interface ServerPrograms {
  /** agent.pl */
  agent: string;
  /** setup.sh with container.sh */
  setup: string;
  /** container.pl */
  container: string;
}

/** 'ssh-ed25519 AAAA…' without a comment: what goes into a file of another machine. */
const PUBLIC_KEY = /^ssh-ed25519 [A-Za-z0-9+/]{40,100}={0,2}$/;
/** As useradd(8) accepts it; it goes into a rule of sudo. */
export const isAccountName = (name: string) => /^[a-z_][a-z0-9_-]{0,31}$/.test(name);

const END_OF_FILE = "KRUG-END-OF-FILE";
const READY = "krug-ready";
const PROMPT = "krug-password:";
const ANSWER_WITHIN_MS = 30_000;
const OUTPUT_LIMIT = 20_000;
/** More than our scripts and sudo print, its lecture included. */
const NOISE_LIMIT = 65_536;
/** How a script ends on a disk without room; ENOSPC's number. */
const NO_ROOM = 28;

/**
 * Puts the panel's programs and public key on a machine, whatever was there before. `sudoPassword` is for an account that is not
 * root; it is sent when sudo asks for it and only then. @throws SshFailure
 */
export async function prepareMachine(
  connection: SshConnection,
  { username, publicKey, sudoPassword }: { username: string; publicKey: string; sudoPassword: string | null },
  programs: ServerPrograms,
): Promise<void> {
  if (!isAccountName(username)) throw new TypeError("not an account's name");
  await runScript(atMost(NOISE_LIMIT, await connection.open("/bin/bash -s")), keyScript(publicKey));
  const isRoot = username === "root";
  const shell = isRoot ? "/bin/bash -s" : `sudo -S -p ${PROMPT} /bin/bash -c 'echo ${READY}; exec /bin/bash -s'`;
  const stream = atMost(NOISE_LIMIT, await connection.open(shell));
  if (!isRoot) await passSudo(stream, sudoPassword);
  await runScript(stream, programsScript(username, programs));
}

/**
 * Braces: the whole text is read before the first command of it runs, and none of them reads it. What fails on a full disk is
 * told as that: what the failed program says of it is in the machine's language.
 */
const asScript = (text: string) => `{ set -eu
has_room() { [ "$(df -Pk "$1" | awk 'NR == 2 { print $4 }')" -ge 1024 ]; }
trap '[ $? = 0 ] || { has_room ~ && has_room /usr; } || exit ${NO_ROOM}' EXIT
${text}
exit 0; } </dev/null
`;

function keyScript(publicKey: string): string {
  if (!PUBLIC_KEY.test(publicKey)) throw new TypeError("not a public key");
  const line = `restrict ${publicKey} krug`;
  return asScript(`umask 077
mkdir -p ~/.ssh
touch ~/.ssh/authorized_keys
grep -qxF '${line}' ~/.ssh/authorized_keys || printf '\\n%s\\n' '${line}' >> ~/.ssh/authorized_keys`);
}

function programsScript(username: string, { agent, setup, container }: ServerPrograms): string {
  const folder = AGENT_PATH.slice(0, AGENT_PATH.lastIndexOf("/"));
  const file = (name: string, text: string) => `cat > ${folder}/${name}.new <<'${END_OF_FILE}'
${text.trimEnd()}
${END_OF_FILE}
chmod 0755 ${folder}/${name}.new
mv ${folder}/${name}.new ${folder}/${name}`;
  const rule =
    username === "root"
      ? ""
      : `umask 0337
printf '%s\\n' '${username} ALL=(root) NOPASSWD: ${AGENT_PATH} ""' > /etc/sudoers.d/krug`;
  return asScript(`umask 022
[ "$(id -u)" = 0 ]
mkdir -p ${folder}
${file("agent", agent)}
${file("container", container)}
${file("setup", setup)}
${rule}`);
}

type Stream = Duplex & { stderr: Readable };

/** Waits until sudo has let us in. */
function passSudo(stream: Stream, password: string | null): Promise<void> {
  return new Promise((resolve, reject) => {
    let asked = 0;
    let heard = "";
    const end = (failure?: SshFailure) => {
      clearTimeout(timer);
      stream.off("data", hear).off("close", closed).off("error", failed);
      stream.stderr.off("data", hearError);
      if (failure === undefined) return resolve();
      stream.destroy();
      reject(failure);
    };
    const refused = (why: string) => end(new SshFailure("no_sudo", why));
    const hearError = (piece: Buffer) => {
      if (!piece.toString().includes(PROMPT)) return;
      asked += 1;
      if (password === null) refused("sudo asks for a password");
      else if (asked > 1) refused("sudo refused the password");
      else stream.write(`${password}\n`);
    };
    const hear = (piece: Buffer) => {
      heard = (heard + piece.toString()).slice(-NOISE_LIMIT);
      if (heard.includes(READY)) end();
    };
    const closed = () => refused("sudo does not let this account become root");
    const failed = (error: Error) => refused(error.message);
    const timer = setTimeout(() => refused("sudo does not answer"), ANSWER_WITHIN_MS);
    stream.on("data", hear).on("close", closed).on("error", failed);
    stream.stderr.on("data", hearError);
  });
}

/** Gives a shell its script and answers what it prints. */
function runScript(stream: Stream, script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    let complaint = "";
    let code: number | null = null;
    const fail = (why: string) => {
      clearTimeout(timer);
      stream.destroy();
      reject(new SshFailure("no_agent", why));
    };
    const timer = setTimeout(() => fail("the machine does not answer"), ANSWER_WITHIN_MS);
    stream.on("error", (error: Error) => fail(error.message));
    stream.on("data", (piece: Buffer) => {
      printed = (printed + piece.toString()).slice(0, OUTPUT_LIMIT);
    });
    stream.stderr.on("data", (piece: Buffer) => {
      complaint = (complaint + piece.toString()).slice(0, 300);
    });
    stream.on("exit", (status: number | null) => {
      code = status;
    });
    stream.on("close", () => {
      clearTimeout(timer);
      if (code === 0) return resolve(printed);
      const why = `the panel's programs could not be put there: ${complaint.trim() || "no answer"}`;
      reject(code === NO_ROOM ? new DiskFull(why) : new SshFailure("no_agent", why));
    });
    stream.end(script);
  });
}

const ABOUT = asScript(`export LC_ALL=C
[ ! -r /etc/os-release ] || . /etc/os-release
printf 'system=%s\\n' "\${PRETTY_NAME:-}"
printf 'architecture=%s\\n' "$(uname -m)"
printf 'memory=%s\\n' "$(sed -n 's/^MemTotal: *\\([0-9]*\\) kB/\\1/p' /proc/meminfo)"
printf 'room=%s\\n' "$(df -Pk /var | awk 'NR == 2 { print $4 }')"
[ -e /usr/local/lib/krug/setup ] || ! { command -v docker || [ -e /usr/sbin/dockerd ] || [ -e /snap/bin/docker ]; } >/dev/null || echo docker=yes
printf 'uid=%s\\n' "$(id -u)"
for address in $(hostname -I 2>/dev/null || true); do printf 'address=%s\\n' "$address"; done`);

/** What a machine says of itself to anybody who has signed in. */
export async function askAbout(connection: SshConnection): Promise<About> {
  const printed = await runScript(atMost(NOISE_LIMIT, await connection.open("/bin/sh -s")), ABOUT);
  const said = printed.split("\n").flatMap((line): [string, string][] => {
    const [, name, value] = /^([a-z]+)=(.{1,200})$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  const first = (name: string) => said.find(([each]) => each === name)?.[1] ?? null;
  const bytes = (kilobytes: string | null) => (kilobytes === null ? null : Number(kilobytes) * 1024);
  return {
    system: first("system"),
    architecture: first("architecture"),
    memory: bytes(first("memory")),
    room: bytes(first("room")),
    hasDocker: first("docker") === "yes",
    addresses: said.flatMap(([name, value]) => (name === "address" ? [value] : [])).slice(0, 20),
    isRoot: first("uid") === "0",
  };
}
