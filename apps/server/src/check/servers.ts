import { setTimeout as wait } from "node:timers/promises";
import { isoOf } from "@krug/domain/moment";
import { type Reason, reasonLine } from "@krug/domain/reasons";
import type { App } from "../app.ts";
import type { Difference } from "../features/vpn/reconciler/index.ts";
import {
  forwardingOf,
  needsSetup,
  type ServerProblem,
  type ServerRow,
  serverStatusOf,
} from "../features/vpn/servers/index.ts";
import { HostFailure, HostSuperseded } from "../hosts/host.ts";
import { makeLimiter } from "../platform/limiter.ts";
import { type Finding, finding, type Level, type Wording } from "./finding.ts";

/** Each costs memory for all of its peers. */
const AT_ONCE = 20;
/** For a whole look at one server, however many calls it takes. */
export const DEADLINE_MS = 20_000;
/** A change that is on its way has arrived by then. */
const AGAIN_MS = 2_000;

export interface Patience {
  deadlineMs: number;
  againMs: number;
}
export const PATIENCE: Patience = { deadlineMs: DEADLINE_MS, againMs: AGAIN_MS };

export const SUPERSEDED_TODO =
  "Stop this panel. If it is this one that should go on: krug take-over, and restart it (docs/operating.md, 'After a restore').";
const UNPROVED_TODO =
  "Look at that machine: somebody else may have taken it over. If the club was restored by a version from before, run krug take-over on the restored panel (docs/operating.md, 'After a restore').";
const WAIT = "A running panel sets this right within a minute: check again then.";
const ON_ITS_OWN = `${WAIT} If it stays, the panel's log and /admin/system say why.`;

class TooLate extends Error {}

/** What every server's machine has, beside what the database says. Servers stand side by side, and each has its deadline. */
export async function lookAtServers({ parts }: App, now: Date, patience: Patience = PATIENCE): Promise<Finding[]> {
  const { db, fencing, servers, reconciler, panelId } = parts;
  const fewAtOnce = makeLimiter(AT_ONCE);

  const compare = async (server: ServerRow) => {
    const signal = AbortSignal.timeout(patience.deadlineMs);
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(new TooLate()), { once: true });
    });
    // A way that does not heed the signal keeps nobody waiting.
    return Promise.race([reconciler.compare(server, { signal, deadlineMs: patience.deadlineMs }), late]);
  };

  const lookAt = async (server: ServerRow): Promise<Finding[]> => {
    const about = { id: server.id, name: server.name };
    const tell = (level: Level, code: string, text: string, wording: Wording = {}) => [
      finding(level, code, text, { ...wording, server: about }),
    ];
    if (needsSetup(server))
      return tell("note", "server.unprepared", "Its set-up is not finished, so it has no tunnels to compare.");
    if (server.driver === "local" && server.panel_id !== panelId)
      return tell("note", "server.elsewhere", "It is another panel's own machine.", {
        todo: "Run this check on that machine too.",
      });
    try {
      let seen = await compare(server);
      if (seen !== null && seen.differences.length > 0) {
        await wait(patience.againMs);
        seen = await compare(server);
      }
      if (seen === null)
        return tell("unknown", "server.no_way", "This panel has no way to its machine.", {
          todo: "Where LOCAL_SERVER is off, set it to auto, or delete the server in the panel.",
        });
      const found = seen.differences.flatMap((difference) => aboutDifference(difference, tell));
      for (const detail of seen.notForwarding.map(inEnglish))
        found.push(
          ...tell("wrong", "server.blocked", "Something on the machine keeps members' packets from leaving.", {
            detail,
          }),
        );
      const counted = forwardingOf(server);
      const isWatched = serverStatusOf(server, now.getTime()) !== "silent";
      // A panel that reads the same and does not suspect it has seen pages pass there.
      const isDisproved = isWatched && counted === null;
      for (const detail of seen.refusals.map(inEnglish))
        found.push(
          ...(isDisproved
            ? tell(
                "note",
                "server.passes",
                "A firewall on the machine reads as if it refused members' packets, and they pass.",
                {
                  detail,
                },
              )
            : tell("wrong", "server.blocked", "Something on the machine keeps members' packets from leaving.", {
                detail,
              })),
        );
      if (counted?.state === "refused" && seen.notForwarding.length + seen.refusals.length === 0)
        found.push(
          ...tell("wrong", "server.blocked", "What members send does not leave the machine, or no answer comes back.", {
            detail: `Counted since ${isoOf(counted.since)}; which rule does it was not found.`,
          }),
        );
      if (found.every(({ level }) => level === "note"))
        found.push(
          ...tell("well", "server", `Its machine has what the database says: ${count(seen.peers, "peer", "peers")}.`),
        );
      if (!isWatched)
        found.push(
          ...tell("note", "server.unwatched", "No panel has looked at it for more than three minutes.", {
            todo: "Start the panel, if it should run.",
          }),
        );
      return found;
    } catch (error) {
      if (error instanceof TooLate)
        return tell("unknown", "server.silent", `Its machine did not answer within ${patience.deadlineMs / 1_000} s.`, {
          todo: "See that it runs, and that this machine reaches it.",
        });
      if (!(error instanceof HostFailure))
        return tell("unknown", "server.not_compared", "It could not be compared.", { detail: messageOf(error) });
      if (error instanceof HostSuperseded)
        return (await fencing.isProved(error.by))
          ? tell(
              "wrong",
              "server.superseded",
              `It obeys a panel of this club that was restored elsewhere at ${isoOf(error.by.since)}.`,
              { todo: SUPERSEDED_TODO },
            )
          : tell("wrong", "server.unproved_restore", CONNECTION.unproved_restore, { todo: UNPROVED_TODO });
      const problem = error.connection?.problem ?? null;
      return tell(
        "unknown",
        problem === null ? "server.not_read" : `server.${problem}`,
        problem === null ? "Its machine could not be read." : CONNECTION[problem],
        {
          detail: error.message,
          todo: "Its page in the panel says more; on the panel's own machine, run this check as root.",
        },
      );
    }
  };

  const all = await servers.all(db);
  const looks = await Promise.all(all.map((server) => fewAtOnce(() => lookAt(server))));
  return looks.flatMap((look) => look?.result ?? []);
}

const inEnglish = (why: Reason) => reasonLine(why, "en");
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const CONNECTION: Record<ServerProblem, string> = {
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

export const SERVER_PROBLEMS = Object.keys(CONNECTION);

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

function aboutDifference(
  difference: Difference,
  tell: (level: Level, code: string, text: string, wording?: Wording) => Finding[],
): Finding[] {
  if (difference.kind === "firewall")
    return tell(
      "wrong",
      "server.firewall",
      "The panel's firewall table (inet krug) is not loaded, so its tunnels pass nothing.",
      {
        todo: ON_ITS_OWN,
      },
    );
  if (difference.kind === "forwarding") {
    const setting = difference.family === "v4" ? "net.ipv4.ip_forward" : "net.ipv6.conf.all.forwarding";
    return tell("wrong", "server.forwarding", `${setting} is 0, so members reach nothing beyond the machine.`, {
      todo: `${WAIT} If it stays, set it with sysctl on the machine.`,
    });
  }
  const { interfaceName } = difference;
  if (difference.kind === "peers") {
    const { how, count: number } = difference;
    const text = {
      missing: `${count(number, "peer is", "peers are")} missing: these devices have no tunnel.`,
      wrong: `${count(number, "peer has", "peers have")} other addresses or another preshared key than the database says.`,
      foreign: `${count(number, "peer is", "peers are")} in no config of the club.`,
    }[how];
    const todo = how === "foreign" ? `${WAIT} If they come back, stop the program that adds them.` : ON_ITS_OWN;
    return tell("wrong", `server.peers_${how}`, text, { todo, interfaceName });
  }
  const text = {
    missing: "The interface is not there.",
    down: "The interface is down.",
    foreign: "The interface carries a key that is not the panel's: another program made it.",
    left: "The interface is up, and the database wants it no more.",
    settings: "The interface has another port or other parameters than the database says.",
  }[difference.how];
  const isForeign = difference.how === "foreign";
  const todo = isForeign ? "Stop that program, or rename its interface; the panel leaves it alone." : ON_ITS_OWN;
  return tell("wrong", `server.interface_${difference.how}`, text, { todo, interfaceName });
}
