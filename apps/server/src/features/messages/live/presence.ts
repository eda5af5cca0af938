import { randomBytes } from "node:crypto";
import { SECOND_MS } from "@krug/domain/moment";
import { isPostgres } from "../../../platform/database/database.ts";
import { isTroubled } from "../../../platform/database/trouble.ts";
import type { Platform } from "../../../platform/platform.ts";

/** How often a panel with open pages sends a sign of life; one silent for longer has ended without a message. */
export const SAID_EVERY_MS = 20 * SECOND_MS;
const SILENT_AFTER_MS = 3 * SAID_EVERY_MS;
/** Pages that open or close together are reported together. */
const GATHERED_MS = 50;

/** `PANEL+MEMBER`, `PANEL-MEMBER`: this member has a page open there, or no longer. */
const CHANGED = "live.presence";
/** `PANEL`: it is alive, and what it reported still holds. */
const ALIVE = "live.presence.alive";
/** Asks every panel to report its pages. */
const ASKED = "live.presence.asked";
const LINE = /^([0-9a-f]{6})([+-])(.+)$/;

interface Parts extends Pick<Platform, "db" | "transact" | "signals" | "log"> {
  /** ms, from a monotonic clock. */
  now?(): number;
}

interface Panel {
  members: Set<string>;
  heardAt: number;
}

/**
 * Who has a page open at any of the panels that share the database. Each reports to the others over their signal connection, in
 * memory only: what a panel knew ends with it. With SQLite there is one panel and nothing is reported.
 */
export function makePresence({ db, transact, signals, log, now = () => performance.now() }: Parts) {
  const self = randomBytes(3).toString("hex");
  const here = new Set<string>();
  const elsewhere = new Map<string, Panel>();
  const untold = new Set<string>();
  let gathering: NodeJS.Timeout | null = null;
  let hasStopped = false;

  const say = async (topic: string, lines: readonly string[] = []) => {
    if (!isPostgres(db) || hasStopped) return;
    try {
      await transact(async (tx) => signals.send(tx, topic, lines));
    } catch (error) {
      // A panel that gets nothing asks again after the gap.
      if (!isTroubled(error) && !hasStopped)
        log.warn({ err: error }, "could not tell other panels who has a page open");
    }
  };
  const lineOf = (memberId: string) => `${self}${here.has(memberId) ? "+" : "-"}${memberId}`;
  const tell = () => {
    gathering = null;
    const lines = [...untold].map(lineOf);
    untold.clear();
    void say(CHANGED, lines);
  };
  const change = (memberId: string) => {
    untold.add(memberId);
    gathering ??= setTimeout(tell, GATHERED_MS).unref();
  };
  const heardOf = (panel: string): Panel => {
    const known = elsewhere.get(panel) ?? { members: new Set<string>(), heardAt: 0 };
    known.heardAt = now();
    elsewhere.set(panel, known);
    return known;
  };
  const ask = () => say(ASKED);

  signals.on(CHANGED, (lines) => {
    for (const line of lines) {
      const [, panel = "", sign, memberId = ""] = LINE.exec(line) ?? [];
      if (panel === "" || panel === self) continue;
      const { members } = heardOf(panel);
      if (sign === "+") members.add(memberId);
      else members.delete(memberId);
    }
  });
  signals.on(ALIVE, (panels) => {
    // A panel that others thought dead has reported its pages to nobody.
    if (panels.some((panel) => panel !== self && !elsewhere.has(panel))) void ask();
    for (const panel of panels) if (panel !== self) heardOf(panel);
  });
  signals.on(ASKED, () => {
    for (const memberId of here) change(memberId);
  });
  signals.onGap(() => {
    elsewhere.clear();
    void ask();
  });

  return {
    opened(memberId: string): void {
      here.add(memberId);
      change(memberId);
    },
    closed(memberId: string): void {
      here.delete(memberId);
      change(memberId);
    },
    /** Whether the member has an open page, here or at another panel. */
    isLooking: (memberId: string): boolean =>
      here.has(memberId) || [...elsewhere.values()].some(({ members }) => members.has(memberId)),
    async keepAlive(): Promise<void> {
      for (const [panel, { heardAt }] of elsewhere) if (now() - heardAt > SILENT_AFTER_MS) elsewhere.delete(panel);
      if (here.size > 0) await say(ALIVE, [self]);
    },
    ask,
    stop(): void {
      hasStopped = true;
      if (gathering !== null) clearTimeout(gathering);
    },
  };
}
