import { MINUTE_MS } from "@krug/domain/moment";
import type { Clock } from "../../../platform/clock.ts";
import type { ServerRow } from "../servers/index.ts";
import type { Line } from "../traffic/index.ts";

/** 10 Gbit/s in both directions together, more than any of the club's machines can encrypt. */
const BYTES_A_MS = 2_500_000;
/** How late a reading, or the panel's record of the previous one, may be. */
const SLACK_MS = 2 * MINUTE_MS;

export type Lines = ReturnType<typeof makeLines>;

/**
 * The most that can have passed through each server since its last reading. A machine in a thief's hands may report any number; a
 * moderate lie cannot be told from the truth.
 */
export function makeLines(clock: Clock) {
  const lines = new Map<string, { at: number; room: number; hasRefused: boolean }>();
  return {
    of({ id, reconciled_at, created_at }: Pick<ServerRow, "id" | "reconciled_at" | "created_at">): Line {
      const now = clock.now().getTime();
      const before = lines.get(id) ?? { at: reconciled_at ?? created_at, room: 0, hasRefused: false };
      const unused = before.hasRefused ? before.room : Math.min(before.room, SLACK_MS * BYTES_A_MS);
      const passed = Math.max(0, now - before.at) + (lines.has(id) ? 0 : SLACK_MS);
      // A refused amount fits later if it is true: the machine was down for longer than the panel knew.
      const line = {
        at: now,
        room: Math.min(Number.MAX_SAFE_INTEGER, unused + passed * BYTES_A_MS),
        hasRefused: false,
      };
      lines.set(id, line);
      return {
        takes(bytes) {
          const fits = bytes <= line.room;
          if (fits) line.room -= bytes;
          else line.hasRefused = true;
          return fits;
        },
      };
    },
  };
}
