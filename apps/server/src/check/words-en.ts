import type { ServerProblem } from "../features/vpn/servers/index.ts";

const peers = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const wait = "A running panel sets this right within a minute: check again then.";
const environment = "Give the DATA_DIR and DATABASE_URL of the panel, as its service has them.";
const fromCopy = "Put the file back from a copy of DATA_DIR.";

const connection: Record<ServerProblem, string> = {
  unresolved: "Its machine's name has no address.",
  closed: "Its machine takes no SSH connections at that port.",
  silent: "Its machine does not answer.",
  not_ssh: "What answers at its SSH port is not SSH.",
  host_key_changed: "Its machine shows another host key.",
  no_algorithm: "Its sshd has no algorithm in common with the panel.",
  login_refused: "Its machine refuses the panel's login.",
  keys_only: "Its machine takes keys, and the panel's is not there.",
  second_factor: "Its machine asks for a second factor, which nobody is there to give.",
  password_expired: "Its machine wants another password for the panel's account before anything else.",
  root_closed: "Its machine lets another account in, and not root.",
  no_shell: "The panel's account there may run no commands.",
  other_command: "Something else runs on its machine in place of the panel's helper.",
  no_sudo: "The panel's account there may not become root.",
  sudo_second: "Its sudo asks for more than a password.",
  no_agent: "The panel's helper is not there, or is another version's.",
  lost: "The connection to its machine broke.",
  unproved_restore: "Its machine says that the club was restored elsewhere, and cannot prove it.",
};

/** What `krug check` finds. A text is of our own words and numbers only: it may leave the machine in a support bundle. */
export const checkWordsEn = {
  server: "server",
  levels: { wrong: "wrong", unknown: "unknown", note: "note", well: "well" },
  needsYou: (wrong: number, all: number) => `Needs you: ${wrong} of ${all} findings.`,
  unchecked: (count: number) => `${count} could not be checked.`,
  nothingOff: (unknown: number) => `Nothing is off as far as it could be seen; ${unknown} could not be checked.`,
  allWell: "All is well.",
  skipped: "Secrets, work and servers were not checked: the database is another version's.",
  unread: {
    dataDir: "DATA_DIR could not be read.",
    database: "The database could not be read through.",
    panel: "It is not known whether this is the club's current panel.",
    jobs: "Work and backups could not be read.",
    clock: "The clock could not be compared.",
    servers: "The servers could not be compared.",
    secrets: "The sealed secrets could not be read.",
    parts: "The panel's parts could not be put together; work and servers were not checked.",
  },
  databaseClosed: "The database could not be opened, so nothing in it was checked.",
  environment,
  panel: {
    current: "As far as it knows, this is the club's current panel.",
    unproved: "It was restored by a version from before: older copies of it cannot see that it was.",
    unprovedTodo:
      "If it is the club's current panel: krug take-over, and restart it (docs/operating.md, 'After a restore').",
    superseded: (since: string) =>
      `The club was restored elsewhere at ${since}. This panel is the old one, and does nothing more.`,
    seenOn: (server: string) => `seen on the server «${server}»`,
    supersededTodo:
      "Stop this panel. If it is this one that should go on: krug take-over, and restart it (docs/operating.md, 'After a restore').",
  },
  key: {
    wrong: "The master key does not open the database; work and servers were not checked.",
    wrongTodo: "Put the right key back; do not make a new one.",
    opensAll: (count: number) => `The master key opens all ${count} sealed secrets.`,
    closed: (closed: number, all: number, where: string) =>
      `Sealed secrets that do not open: ${closed} of ${all} (${where}).`,
    closedTodo:
      "They were damaged, or sealed with another key. If you have a former master key, add it as another line of the key's file; otherwise give these devices new keys.",
  },
  migrations: {
    newer: (count: number) => `Migrations in the database that this program does not know: ${count}.`,
    newerTodo: "Use the version of the panel that made it.",
    changed: (count: number) => `Migrations that were applied with another text than this program's: ${count}.`,
    changedTodo: "Put the program's files back as they were released.",
    missing: (count: number) => `Migrations of this program that the database lacks: ${count}.`,
    missingTodo: "Start the panel once with this version: it brings the database up to date.",
    applied: (count: number) => `All ${count} migrations are applied.`,
  },
  database: {
    postgres: (version: number) => `PostgreSQL ${version} answers.`,
    damaged: "The database's file is damaged.",
    damagedTodo:
      "Stop the panel, keep the file, and put the last good backup back (docs/operating.md, 'Backup and restore').",
    whole: "The database's file is whole, and so are its references.",
    references: (count: number, tables: string) =>
      `Rows that refer to others that are not there: ${count} (${tables}).`,
    referencesTodo:
      "Something else than the panel changed the database: put the last good backup back, or ask for help with a support bundle.",
  },
  clock: {
    differs: (seconds: number) => `The clocks of this machine and of PostgreSQL are ${seconds} s apart.`,
    differsTodo: "Turn time synchronisation on where it is off: timedatectl set-ntp true.",
    behind: (minutes: number) => `A panel wrote down a moment ${minutes} min ahead of this machine's clock.`,
    behindTodo: "Correct the clock that is wrong: timedatectl set-ntp true.",
    agrees: "The clock agrees with the database.",
  },
  files: {
    absent: "DATA_DIR is not there, so this is no panel's environment.",
    writable: "Users other than the panel's can write to DATA_DIR.",
    writableTodo: "Run: chmod 700 on that folder.",
    open: (count: number) => `Files of the panel that are open to others: ${count}.`,
    openTodo: "Run: chmod 600 on each.",
    noPanelId: "DATA_DIR holds no panel-id, by which the panel knows its own machine.",
    noPanelIdTodo: `${fromCopy} Otherwise the next start makes a new one and looks for its server again.`,
    damagedPanelId: "The panel-id in DATA_DIR is damaged.",
    fromCopy,
    closed: "DATA_DIR is closed to others, and the panel-id is there.",
    disk: (of: "database" | "dataDir" | "backups", mib: number) =>
      `The disk of ${{ database: "the database", dataDir: "DATA_DIR", backups: "backups" }[of]} has ${mib} MiB free.`,
    diskTodo: "Make room before it is full: then nobody can sign in.",
  },
  work: {
    givenUp: (count: number, kinds: string) =>
      `Pieces of work that were given up after many tries: ${count} (${kinds}).`,
    givenUpTodo:
      "Do what the reason asks for; /admin/system names each. The servers' minute round catches up on tunnels by itself.",
    failing: (count: number, all: number, kinds: string) =>
      `Waiting pieces of work that have failed and are tried again: ${count} of ${all} (${kinds}).`,
    failingTodo: "Where a server is away they wait for it. Otherwise do what the reason asks for.",
    late: (minutes: number) => `Work has waited for ${minutes} min, and no panel does it.`,
    lateTodo: "Start the panel; if it runs, restart it.",
    none: "No work hangs.",
    webhooksOff: (count: number) => `Webhooks that the panel has switched off: ${count}.`,
    webhooksOffTodo: "/admin/webhooks says why, and switches them on again.",
  },
  backups: {
    off: "No scheduled backups are made.",
    offTodo: "Set BACKUP_DIR, BACKUP_SFTP or BACKUP_S3 to have some.",
    last: (at: string | null) =>
      at === null ? "There is no good scheduled backup yet" : `The last good backup is of ${at}`,
    todo: "See that the place for backups is reachable and has room; the panel tries again every quarter of an hour.",
    late: (last: string, hours: number) => `${last}, and one is due every ${hours} h.`,
    failed: (last: string) => `${last}, and the newest failed.`,
    gone: "The last good backup is gone from its place.",
    goneTodo: "Put it back, or run: krug backup --to-place. A running panel makes another within an hour.",
    unseen: "It could not be seen whether the last good backup is still there.",
    unseenTodo: "See that the place for backups can be reached from here, by the panel's user.",
    noAnswer: "no answer came in time",
  },
  servers: {
    connection,
    unprepared: "Its set-up is not finished, so it has no tunnels to compare.",
    elsewhere: "It is another panel's own machine.",
    elsewhereTodo: "Run this check on that machine too.",
    noWay: "This panel has no way to its machine.",
    noWayTodo: "Where LOCAL_SERVER is off, set it to auto, or delete the server in the panel.",
    blocked: "Something on the machine keeps members' packets from leaving.",
    passes: "A firewall on the machine reads as if it refused members' packets, and they pass.",
    lost: "What members send does not leave the machine, or no answer comes back.",
    lostSince: (since: string) => `Counted since ${since}; which rule does it was not found.`,
    same: (count: number) => `Its machine has what the database says: ${peers(count, "peer", "peers")}.`,
    unwatched: "No panel has looked at it for more than three minutes.",
    unwatchedTodo: "Start the panel, if it should run.",
    late: (seconds: number) => `Its machine did not answer within ${seconds} s.`,
    lateTodo: "See that it runs, and that this machine reaches it.",
    notCompared: "It could not be compared.",
    superseded: (since: string) => `It obeys a panel of this club that was restored elsewhere at ${since}.`,
    unprovedTodo:
      "Look at that machine: somebody else may have taken it over. If the club was restored by a version from before, run krug take-over on the restored panel (docs/operating.md, 'After a restore').",
    notRead: "Its machine could not be read.",
    notReadTodo: "Its page in the panel says more; on the panel's own machine, run this check as root.",
    firewall: "The panel's firewall table (inet krug) is not loaded, so its tunnels pass nothing.",
    forwarding: (setting: string) => `${setting} is 0, so members reach nothing beyond the machine.`,
    forwardingTodo: `${wait} If it stays, set it with sysctl on the machine.`,
    peers: {
      missing: (count: number) => `${peers(count, "peer is", "peers are")} missing: these devices have no tunnel.`,
      wrong: (count: number) =>
        `${peers(count, "peer has", "peers have")} other addresses or another preshared key than the database says.`,
      foreign: (count: number) => `${peers(count, "peer is", "peers are")} in no config of the club.`,
    },
    foreignPeersTodo: `${wait} If they come back, stop the program that adds them.`,
    onItsOwn: `${wait} If it stays, the panel's log and /admin/system say why.`,
    interface: {
      missing: "The interface is not there.",
      down: "The interface is down.",
      foreign: "The interface carries a key that is not the panel's: another program made it.",
      left: "The interface is up, and the database wants it no more.",
      settings: "The interface has another port or other parameters than the database says.",
    },
    foreignTodo: "Stop that program, or rename its interface; the panel leaves it alone.",
  },
};

export type SaidByCheck = typeof checkWordsEn;
