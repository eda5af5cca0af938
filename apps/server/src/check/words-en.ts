import type { ServerProblem } from "../features/vpn/servers/index.ts";

const peers = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const wait = "A running panel sets this right within a minute: check again then.";
const environment = "Set DATA_DIR and DATABASE_URL as in the panel's service.";
const fromCopy = "Put the file back from a copy of DATA_DIR.";

const connection: Record<ServerProblem, string> = {
  unresolved: "Its machine's name has no address.",
  closed: "Its machine accepts no SSH connections on that port.",
  silent: "Its machine does not answer.",
  not_ssh: "Something other than SSH answers on its SSH port.",
  host_key_changed: "Its machine shows another host key.",
  no_algorithm: "Its sshd has no algorithm in common with the panel.",
  login_refused: "Its machine refuses the panel's login.",
  keys_only: "Its machine accepts keys, and the panel's is not among them.",
  second_factor: "Its machine asks for a second factor, which the panel cannot give.",
  password_expired: "Its machine requires a new password for the panel's account first.",
  root_closed: "Its machine lets in another account, but not root.",
  no_shell: "The panel's account there may not run commands.",
  other_command: "Something else runs on its machine instead of the panel's helper.",
  no_sudo: "The panel's account there may not become root.",
  sudo_second: "Its sudo asks for more than a password.",
  no_agent: "The panel's helper is missing or has another version.",
  lost: "The connection to its machine broke.",
  unproved_restore: "Its machine says that the club was restored elsewhere, and cannot prove it.",
};

/** What `krug check` finds. A text is of our own words and numbers only: it may leave the machine in a support bundle. */
export const checkWordsEn = {
  server: "server",
  levels: { wrong: "wrong", unknown: "unknown", note: "note", well: "ok" },
  needsYou: (wrong: number, all: number) => `Needs attention: ${wrong} of ${all} findings.`,
  unchecked: (count: number) => `${count} could not be checked.`,
  nothingOff: (unknown: number) => `No problems found, but ${unknown} could not be checked.`,
  allWell: "No problems found.",
  skipped: "Secrets, jobs and servers were not checked: the database has another version.",
  unread: {
    dataDir: "DATA_DIR could not be read.",
    database: "The database could not be read to its end.",
    panel: "Could not tell whether this is the club's current panel.",
    jobs: "Jobs and backups could not be read.",
    clock: "The clock could not be compared.",
    ledgers: "Subscriptions could not be compared with their ledgers.",
    servers: "The servers could not be compared.",
    secrets: "The sealed secrets could not be read.",
    parts: "The panel's parts could not be assembled; jobs and servers were not checked.",
  },
  databaseClosed: "The database could not be opened, so nothing in it was checked.",
  environment,
  panel: {
    current: "As far as it knows, this is the club's current panel.",
    unproved: "An earlier version restored it: older copies of this panel cannot see that.",
    unprovedTodo:
      "If it is the club's current panel, run krug take-over and restart it (docs/operating.md, 'After a restore').",
    superseded: (since: string) =>
      `The club was restored elsewhere at ${since}. This is the old panel, which does nothing more.`,
    seenOn: (server: string) => `seen on the server «${server}»`,
    supersededTodo:
      "Stop this panel. If this one should be the current panel, run krug take-over and restart it (docs/operating.md, 'After a restore').",
  },
  key: {
    wrong: "The master key does not open the database; jobs and servers were not checked.",
    wrongTodo: "Put the right key back; do not create a new one.",
    opensAll: (count: number) => `Sealed secrets: the master key opens all of them, ${count}.`,
    closed: (closed: number, all: number, where: string) =>
      `Sealed secrets that do not open: ${closed} of ${all} (${where}).`,
    closedTodo:
      "They were damaged, or sealed with another key. If you have an earlier master key, add it as another line of the key file; otherwise give these devices new keys.",
  },
  migrations: {
    newer: (count: number) => `Migrations in the database that this version does not know: ${count}.`,
    newerTodo: "Use the version of the panel that applied them.",
    changed: (count: number) => `Applied migrations whose text differs from this version's: ${count}.`,
    changedTodo: "Restore the program's files as they were released.",
    missing: (count: number) => `Migrations of this version that the database lacks: ${count}.`,
    missingTodo: "Start the panel once with this version: it brings the database up to date.",
    applied: (count: number) => `All ${count} migrations are applied.`,
  },
  database: {
    postgres: (version: number) => `PostgreSQL ${version} answers.`,
    damaged: "The database file is damaged.",
    damagedTodo:
      "Stop the panel, keep the file, and restore the last good backup (docs/operating.md, 'Backup and restore').",
    whole: "The database file and its references are intact.",
    references: (count: number, tables: string) => `Rows that refer to missing rows: ${count} (${tables}).`,
    referencesTodo:
      "Something other than the panel changed the database: restore the last good backup, or ask for help with a support bundle.",
  },
  ledgers: {
    addUp: "Each subscription's end is where its ledger leads.",
    differ: (count: number) => `Subscriptions that end elsewhere than their ledger leads: ${count}.`,
    differTodo:
      "A panel of an earlier version has usually moved them. The next change of such an end enters it; if that should not be, compare with the audit.",
  },
  clock: {
    differs: (seconds: number) => `The clocks of this machine and of PostgreSQL are ${seconds} s apart.`,
    differsTodo: "Turn on time synchronisation on the machine that lacks it: timedatectl set-ntp true.",
    behind: (minutes: number) => `A panel recorded a time ${minutes} min ahead of this machine's clock.`,
    behindTodo: "Correct the clock that is wrong: timedatectl set-ntp true.",
    agrees: "The clock agrees with the database.",
  },
  files: {
    absent: "DATA_DIR does not exist, so this is not a panel's environment.",
    writable: "Other users than the panel's can write to DATA_DIR.",
    writableTodo: "Run: chmod 700 on that folder.",
    fixed: "The panel's user cannot write to DATA_DIR, so nothing can be saved.",
    fixedTodo:
      "Run the check as the panel's user. If its disk is mounted read-only, find out why (dmesg) before mounting it again.",
    open: (count: number) => `Panel files that are open to other users: ${count}.`,
    openTodo: "Run: chmod 600 on each.",
    noPanelId: "DATA_DIR has no panel-id, by which the panel recognises its own machine.",
    noPanelIdTodo: `${fromCopy} Otherwise the next start creates a new one and looks for its server again.`,
    damagedPanelId: "The panel-id in DATA_DIR is damaged.",
    fromCopy,
    closed: "DATA_DIR is closed to other users, and the panel-id exists.",
    disk: (of: "database" | "dataDir" | "backups", mib: number) =>
      `The disk of ${{ database: "the database", dataDir: "DATA_DIR", backups: "backups" }[of]} has ${mib} MiB free.`,
    backupsInside: "BACKUP_DIR is in DATA_DIR: whatever destroys the club destroys its backups too.",
    backupsInsideTodo: "Set BACKUP_DIR to a folder elsewhere, best on another disk, and move the backups there.",
    diskTodo: "Make room before it is full: nobody can sign in then.",
  },
  work: {
    givenUp: (count: number, kinds: string) => `Jobs given up after many attempts: ${count} (${kinds}).`,
    givenUpTodo:
      "Fix what the reason names; /admin/system lists each. The check of servers every minute brings tunnels up to date by itself.",
    failing: (count: number, all: number, kinds: string) =>
      `Waiting jobs that have failed and are retried: ${count} of ${all} (${kinds}).`,
    failingTodo: "If a server does not answer, they wait for it. Otherwise fix what the reason names.",
    late: (minutes: number) => `Jobs have waited for ${minutes} min, and no panel runs them.`,
    lateTodo: "Start the panel; if it runs, restart it.",
    none: "No jobs are stuck.",
    webhooksOff: (count: number) => `Webhooks that the panel has switched off: ${count}.`,
    webhooksOffTodo: "/admin/webhooks says why. Switch them on again there.",
  },
  backups: {
    off: "No scheduled backups are made.",
    offTodo: "Set BACKUP_DIR, BACKUP_SFTP or BACKUP_S3 to schedule them.",
    last: (at: string | null) =>
      at === null ? "There is no good scheduled backup yet" : `The last good backup was made at ${at}`,
    todo: "Make sure that the place for backups is reachable and has room; the panel tries again every quarter of an hour.",
    late: (last: string, hours: number) => `${last}, and one is due every ${hours} h.`,
    failed: (last: string) => `${last}, and the newest failed.`,
    gone: "The last good backup is gone from its place, or damaged there.",
    goneTodo: "Put it back, or run: krug backup --to-place. A running panel makes another within an hour.",
    unseen: "Could not check whether the last good backup is still there.",
    unseenTodo: "Make sure that the panel's user can reach the place for backups from here.",
    noAnswer: "no answer came in time",
  },
  servers: {
    connection,
    unprepared: "Its set-up is not complete, so it has no tunnels to compare.",
    elsewhere: "It is another panel's own machine.",
    elsewhereTodo: "Run this check on that machine too.",
    noWay: "This panel has no connection to its machine.",
    noWayTodo: "If LOCAL_SERVER is off, set it to auto, or delete the server in the panel.",
    blocked: "Something on the machine keeps members' packets from leaving.",
    passes: "The firewall rules on the machine seem to refuse members' packets, but they pass.",
    lost: "What members send does not leave the machine, or no answer comes back.",
    lostSince: (since: string) => `Counted since ${since}; the rule was not found.`,
    same: (count: number) => `Its machine matches the database: ${peers(count, "peer", "peers")}.`,
    unwatched: "No panel has checked it for more than three minutes.",
    unwatchedTodo: "Start the panel if it should be running.",
    late: (seconds: number) => `Its machine did not answer within ${seconds} s.`,
    lateTodo: "Make sure that it runs and that this machine can reach it.",
    notCompared: "It could not be compared.",
    superseded: (since: string) => `It obeys a panel of this club that was restored elsewhere at ${since}.`,
    unprovedTodo:
      "Check that machine: somebody else may have taken it over. If an earlier version restored the club, run krug take-over on the restored panel (docs/operating.md, 'After a restore').",
    notRead: "Its machine could not be read.",
    notReadTodo: "Its page in the panel says more. For the panel's own machine, run this check as root.",
    firewall: "The panel's firewall table (inet krug) is not loaded, so no traffic passes its tunnels.",
    speeds: (count: number) => `Speed limits that are not in force: ${count}. These members are not slowed down.`,
    speedsTodo: `${wait} If it stays, its card in the panel says why: tunnels in the kernel's network need tc, ifb and nftables of a kernel from 5.18, others the panel's present engine.`,
    forwarding: (setting: string) => `${setting} is 0, so members reach nothing outside the machine.`,
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
      missing: "The interface is missing.",
      down: "The interface is down.",
      foreign: "The interface has a key that is not the panel's: another program created it.",
      left: "The interface is up, but the database no longer has it.",
      settings: "The interface has another port or other parameters than the database says.",
    },
    foreignTodo: "Stop that program, or rename its interface; the panel leaves it alone.",
  },
};

export type SaidByCheck = typeof checkWordsEn;
