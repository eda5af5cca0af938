import type { support as supportContract } from "@krug/contract/messages/support";
import type { Tx } from "../../../platform/database/database.ts";
import { isTroubled } from "../../../platform/database/trouble.ts";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import { oneAtATime } from "../../../platform/limiter.ts";
import { isHidden } from "../../club/rights/index.ts";
import type { MemberRow } from "../../members/members/index.ts";
import type { SupportParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { makeAnswers } from "./to-answer.ts";

/** Messages read at once for a client that was away. */
const AT_ONCE = 100;

interface Watcher {
  readonly actor: Actor;
  tell(userId: string): void;
}

const DESK = "support.desk";
const DESK_OF_VIP = "support.desk_of_vip";

/** Notifies the open pages of staff who may see the member, after the commit. */
export const tellDesk = (
  { signals }: Pick<SupportParts, "signals">,
  tx: Tx,
  member: Pick<MemberRow, "id" | "is_vip">,
) => signals.send(tx, member.is_vip === 1 ? DESK_OF_VIP : DESK, [member.id]);

/** Notifies the open pages of the member, and of staff who may see the member, after the commit. */
export function tellChanged(
  parts: Pick<SupportParts, "live" | "signals">,
  tx: Tx,
  member: Pick<MemberRow, "id" | "is_vip">,
): void {
  parts.live.tell(tx, [member.id], "support");
  tellDesk(parts, tx, member);
}

export type SupportStreams = ReturnType<typeof makeStreams>;

/** Both sides' streams, and how they learn that a conversation changed. */
export function makeStreams(parts: SupportParts) {
  const { db, live, log, signals } = parts;
  const answers = makeAnswers(parts);
  const desk = new Set<Watcher>();

  const changed = (tx: Tx, member: Pick<MemberRow, "id" | "is_vip">) => tellChanged(parts, tx, member);
  for (const [topic, is_vip] of [[DESK, 0] as const, [DESK_OF_VIP, 1] as const])
    signals.on(topic, (ids) => {
      for (const watcher of desk) if (!isHidden(watcher.actor, { is_vip })) for (const id of ids) watcher.tell(id);
    });

  const routes: Pick<Handlers<typeof supportContract>, "stream" | "deskStream"> = {
    async stream({ actor }) {
      const { memberId } = actor;
      const newest = await repository.lastSequence(db, memberId);
      return ({ push, end, lastSeenId }) => {
        // Goes by the sequence, not by notifications: however often or late they come, each message is sent once.
        let sent = lastSeenId !== null && /^\d{1,15}$/.test(lastSeenId) ? Number(lastSeenId) : newest;
        let open = true;
        const next = async () => {
          const rows = await repository.since(db, memberId, sent, AT_ONCE);
          const shown = await answers.messages(rows);
          if (!open) return false;
          for (const message of shown) push({ event: "message", data: message, id: String(message.sequence) });
          sent = shown.at(-1)?.sequence ?? sent;
          return rows.length === AT_ONCE;
        };
        const pump = oneAtATime(next, (error) => {
          if (!isTroubled(error)) log.error({ err: error }, "messages of support could not be read for a stream");
          end();
        });
        pump();
        const close = live.listen(actor, {
          end,
          push: ({ data }) => {
            if ("topic" in data && data.topic === "support") pump();
          },
        });
        return () => {
          open = false;
          close();
        };
      };
    },

    deskStream:
      ({ actor }) =>
      ({ push, end }) => {
        const watcher: Watcher = { actor, tell: (userId) => push({ event: "changed", data: { userId } }) };
        desk.add(watcher);
        const close = live.listen(actor, { end, push: () => {} });
        return () => {
          desk.delete(watcher);
          close();
        };
      },
  };
  return { routes, changed };
}
