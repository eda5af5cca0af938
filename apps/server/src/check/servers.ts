import { setTimeout as wait } from "node:timers/promises";
import { isoOf } from "@krug/domain/moment";
import type { App } from "../app.ts";
import type { Difference } from "../features/vpn/reconciler/index.ts";
import { forwardingOf, needsSetup, type ServerRow, serverStatusOf } from "../features/vpn/servers/index.ts";
import { HostFailure, HostSuperseded } from "../hosts/host.ts";
import { makeLimiter } from "../platform/limiter.ts";
import { type Finding, finding, type Level, type Wording } from "./finding.ts";
import type { CheckWords } from "./words.ts";

/** Each costs memory for all of its peers. */
const AT_ONCE = 20;
/** For the whole check of one server, however many calls it takes. */
export const DEADLINE_MS = 20_000;
/** A change in progress has arrived by then. */
const AGAIN_MS = 2_000;

export interface Patience {
  deadlineMs: number;
  againMs: number;
}
export const PATIENCE: Patience = { deadlineMs: DEADLINE_MS, againMs: AGAIN_MS };

class TooLate extends Error {}

/** Compares every server's machine with the database. Servers are read concurrently, each with its own deadline. */
export async function lookAtServers(
  words: CheckWords,
  { parts }: App,
  now: Date,
  patience: Patience = PATIENCE,
): Promise<Finding[]> {
  const say = words.servers;
  const { db, fencing, servers, reconciler, panelId } = parts;
  const fewAtOnce = makeLimiter(AT_ONCE);

  const compare = async (server: ServerRow) => {
    const signal = AbortSignal.timeout(patience.deadlineMs);
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(new TooLate()), { once: true });
    });
    // A connection that ignores the signal delays nobody.
    return Promise.race([reconciler.compare(server, { signal, deadlineMs: patience.deadlineMs }), late]);
  };

  const lookAt = async (server: ServerRow): Promise<Finding[]> => {
    const about = { id: server.id, name: server.name };
    const tell = (level: Level, code: string, text: string, wording: Wording = {}) => [
      finding(level, code, text, { ...wording, server: about }),
    ];
    if (needsSetup(server)) return tell("note", "server.unprepared", say.unprepared);
    if (server.driver === "local" && server.panel_id !== panelId)
      return tell("note", "server.elsewhere", say.elsewhere, {
        todo: say.elsewhereTodo,
      });
    try {
      let seen = await compare(server);
      if (seen !== null && seen.differences.length > 0) {
        await wait(patience.againMs);
        seen = await compare(server);
      }
      if (seen === null)
        return tell("unknown", "server.no_way", say.noWay, {
          todo: say.noWayTodo,
        });
      const whySpeeds = server.speed_failure === null ? null : words.reason(server.speed_failure);
      const found = seen.differences.flatMap((difference) =>
        difference.kind === "speeds"
          ? tell("wrong", "server.speeds", say.speeds(difference.count), { todo: say.speedsTodo, detail: whySpeeds })
          : aboutDifference(say, difference, tell),
      );
      for (const detail of seen.notForwarding.map(words.reason))
        found.push(
          ...tell("wrong", "server.blocked", say.blocked, {
            detail,
          }),
        );
      const counted = forwardingOf(server);
      const isWatched = serverStatusOf(server, now.getTime()) !== "silent";
      // A panel that reads the same and does not suspect it has seen packets pass there.
      const isDisproved = isWatched && counted === null;
      for (const detail of seen.refusals.map(words.reason))
        found.push(
          ...(isDisproved
            ? tell("note", "server.passes", say.passes, {
                detail,
              })
            : tell("wrong", "server.blocked", say.blocked, {
                detail,
              })),
        );
      if (counted?.state === "refused" && seen.notForwarding.length + seen.refusals.length === 0)
        found.push(
          ...tell("wrong", "server.blocked", say.lost, {
            detail: say.lostSince(isoOf(counted.since)),
          }),
        );
      if (found.every(({ level }) => level === "note")) found.push(...tell("well", "server", say.same(seen.peers)));
      if (!isWatched)
        found.push(
          ...tell("note", "server.unwatched", say.unwatched, {
            todo: say.unwatchedTodo,
          }),
        );
      return found;
    } catch (error) {
      if (error instanceof TooLate)
        return tell("unknown", "server.silent", say.late(patience.deadlineMs / 1_000), {
          todo: say.lateTodo,
        });
      if (!(error instanceof HostFailure))
        return tell("unknown", "server.not_compared", say.notCompared, { detail: words.sentenceOf(error) });
      if (error instanceof HostSuperseded)
        return (await fencing.isProved(error.by))
          ? tell("wrong", "server.superseded", say.superseded(isoOf(error.by.since)), {
              todo: words.panel.supersededTodo,
            })
          : tell("wrong", "server.unproved_restore", say.connection.unproved_restore, { todo: say.unprovedTodo });
      const problem = error.connection?.problem ?? null;
      return tell(
        "unknown",
        problem === null ? "server.not_read" : `server.${problem}`,
        problem === null ? say.notRead : say.connection[problem],
        {
          detail: words.sentenceOf(error),
          todo: say.notReadTodo,
        },
      );
    }
  };

  const all = await servers.all(db);
  const looks = await Promise.all(all.map((server) => fewAtOnce(() => lookAt(server))));
  return looks.flatMap((look) => look?.result ?? []);
}

function aboutDifference(
  say: CheckWords["servers"],
  difference: Exclude<Difference, { kind: "speeds" }>,
  tell: (level: Level, code: string, text: string, wording?: Wording) => Finding[],
): Finding[] {
  if (difference.kind === "firewall")
    return tell("wrong", "server.firewall", say.firewall, {
      todo: say.onItsOwn,
    });
  if (difference.kind === "forwarding") {
    const setting = difference.family === "v4" ? "net.ipv4.ip_forward" : "net.ipv6.conf.all.forwarding";
    return tell("wrong", "server.forwarding", say.forwarding(setting), {
      todo: say.forwardingTodo,
    });
  }
  const { interfaceName } = difference;
  if (difference.kind === "peers") {
    const { how, count: number } = difference;
    const text = say.peers[how](number);
    const todo = how === "foreign" ? say.foreignPeersTodo : say.onItsOwn;
    return tell("wrong", `server.peers_${how}`, text, { todo, interfaceName });
  }
  const text = say.interface[difference.how];
  const isForeign = difference.how === "foreign";
  const todo = isForeign ? say.foreignTodo : say.onItsOwn;
  return tell("wrong", `server.interface_${difference.how}`, text, { todo, interfaceName });
}
