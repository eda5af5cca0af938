import { reason } from "@krug/domain/reasons";
import { markOf, OthersTable } from "../firewall.ts";
import { type About, SshFailure, Unfit } from "../remote.ts";
import { AGENT_PATH, type SshConnection } from "./connection.ts";
import { openShell, runScript } from "./script.ts";
import { openRootShell } from "./sudo.ts";

/** The programs that the panel installs on a server, as texts. */
export interface ServerPrograms {
  /** agent.pl */
  agent: string;
  /** setup.sh with container.sh */
  setup: string;
  /** container.pl */
  container: string;
  /** resolver.sh */
  resolver: string;
  /** old-programs.sh, as a program. */
  programs: string;
}

/** The account that signs in. `sudoPassword` is for an account that is not root. */
interface Account {
  username: string;
  sudoPassword: string | null;
  /** The club's id; null if it is unknown whose machine this may be. */
  club: string | null;
}

/** 'ssh-ed25519 AAAA…' without a comment: it is written to another machine's file. */
const PUBLIC_KEY = /^ssh-ed25519 [A-Za-z0-9+/]{40,100}={0,2}$/;
/** As useradd(8) accepts it; it is written to a sudo rule. */
export const isAccountName = (name: string) => /^[a-z_][a-z0-9_-]{0,31}$/.test(name);

const END_OF_FILE = "KRUG-END-OF-FILE";
/** Printed by the script once it has installed the programs. */
const PUT = "#krug put";
const FOLDER = AGENT_PATH.slice(0, AGENT_PATH.lastIndexOf("/"));

/**
 * Installs the panel's programs and public key on a machine, whatever was there before; on one that cannot be a server, nothing.
 * `now` is ms since 1970. @throws SshFailure, Unfit, OthersTable
 */
export async function prepareMachine(
  connection: SshConnection,
  { publicKey, ...account }: Account & { publicKey: string },
  programs: ServerPrograms,
  now: number,
): Promise<void> {
  if (!isAccountName(account.username)) throw new TypeError("not an account's name");
  const key = keyScript(publicKey);
  const shell = await openRootShell(connection, account);
  const printed = await runUnlessOthers(shell, account, programsScript(account.username, programs, now));
  const unfit = unfitOf(printed);
  if (unfit !== null) throw new Unfit(unfit.failure, unfit.detail);
  if (!printed.includes(PUT)) throw new SshFailure("no_agent", { why: reason("helper.not_looked_over") });
  await runScript(await openShell(connection, "/bin/bash -s"), key);
}

/** Removes everything of the panel's, however far set-up came; returns setup.sh's lines. @throws SshFailure, OthersTable */
export async function cleanMachine(
  connection: SshConnection,
  account: Account,
  { setup }: ServerPrograms,
): Promise<string[]> {
  if (!isAccountName(account.username)) throw new TypeError("not an account's name");
  const shell = await openRootShell(connection, account);
  return (await runUnlessOthers(shell, account, withSetup(setup, `leave ${account.username}`))).split("\n");
}

/** Where another club's tunnels are, nothing is done: its panel uses the same programs there. */
async function runUnlessOthers(
  shell: Parameters<typeof runScript>[0],
  { club }: Account,
  script: string,
): Promise<string> {
  if (club === null) return runScript(shell, script);
  const own = markOf(club);
  const printed = await runScript(
    shell,
    `others=$(PATH="$PATH:/usr/sbin:/sbin" nft --stateless list table inet krug 2>/dev/null |
  sed -nE 's/^[[:space:]]*chain of_([0-9a-f]{16}) \\{$/\\1/p')
if [ -n "$others" ] && [ "$others" != ${own} ]; then echo "#krug others $others"; else
${script}
fi`,
  );
  const others = /^#krug others ([0-9a-f]{16})$/m.exec(printed)?.[1];
  if (others !== undefined) throw new OthersTable(others, own);
  return printed;
}

/** Runs setup.sh on a machine that may not have it. */
const withSetup = (setup: string, verb: string, or = "") => `/bin/bash -s ${verb} <<'${END_OF_FILE}' ${or}
${setup.trimEnd()}
${END_OF_FILE}`;

function keyScript(publicKey: string): string {
  if (!PUBLIC_KEY.test(publicKey)) throw new TypeError("not a public key");
  const line = `restrict ${publicKey} krug`;
  return `umask 077
mkdir -p ~/.ssh
touch ~/.ssh/authorized_keys
grep -qxF '${line}' ~/.ssh/authorized_keys || printf '\\n%s\\n' '${line}' >> ~/.ssh/authorized_keys`;
}

function programsScript(
  username: string,
  { agent, setup, container, resolver, programs }: ServerPrograms,
  now: number,
): string {
  const file = (name: string, text: string) => `cat > ${FOLDER}/${name}.new <<'${END_OF_FILE}'
${text.trimEnd()}
${END_OF_FILE}
chmod 0755 ${FOLDER}/${name}.new
mv ${FOLDER}/${name}.new ${FOLDER}/${name}`;
  const rule =
    username === "root"
      ? ""
      : `umask 0337
printf '%s\\n' '${username} ALL=(root) NOPASSWD: ${AGENT_PATH} ""' > /etc/sudoers.d/krug`;
  return `umask 022
[ "$(id -u)" = 0 ]
look() {
${withSetup(setup, `look ${seconds(now)}`)}
}
if look; then
mkdir -p ${FOLDER}
${file("agent", agent)}
${file("container", container)}
${file("resolver", resolver)}
${file("programs", programs)}
${file("setup", setup)}
${rule}
echo '${PUT}'
fi`;
}

const seconds = (now: number) => Math.floor(now / 1_000);

/** What a machine reports about itself, and what it lacks, if the tools to inspect it are there. */
const aboutScript = ({ setup }: ServerPrograms, now: number) => `export LC_ALL=C
[ ! -r /etc/os-release ] || . /etc/os-release
printf 'system=%s\\n' "\${PRETTY_NAME:-}"
printf 'architecture=%s\\n' "$(uname -m)"
printf 'memory=%s\\n' "$(sed -n 's/^MemTotal: *\\([0-9]*\\) kB/\\1/p' /proc/meminfo)"
printf 'room=%s\\n' "$(df -Pk /var | awk 'NR == 2 { print $4 }')"
[ -e /usr/local/lib/krug/setup ] || ! { command -v docker || [ -e /usr/sbin/dockerd ] || [ -e /snap/bin/docker ]; } >/dev/null || echo docker=yes
printf 'uid=%s\\n' "$(id -u)"
for address in $(hostname -I 2>/dev/null || true); do printf 'address=%s\\n' "$address"; done
if [ -x /bin/bash ]; then
${withSetup(setup, `look ${seconds(now)}`, "|| true")}
else printf '#krug fail unsupported_system %s\\n' "\${PRETTY_NAME:-$(uname -s)}"
fi`;

/** Inspects a machine without any rights and without installing anything. @throws SshFailure */
export async function askAbout(connection: SshConnection, programs: ServerPrograms, now: number): Promise<About> {
  const printed = await runScript(await openShell(connection, "/bin/sh -s"), aboutScript(programs, now));
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
    unfit: unfitOf(printed),
  };
}

function unfitOf(printed: string): About["unfit"] {
  const [, failure, detail] = /^#krug fail ([a-z_]{1,40}) ?(.{0,200})$/m.exec(printed) ?? [];
  return failure === undefined ? null : { failure, detail: detail || null };
}
