import { ECDH, randomUUID } from "node:crypto";
import type { Language } from "@krug/contract/refusals";
import { DAY_MS } from "@krug/domain/moment";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { Internet } from "../../../platform/http/internet.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import type { sessionsEnded } from "../../access/auth/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Outbox } from "../outbox/index.ts";
import * as repository from "./repository.ts";
import type { SubscriptionRow } from "./table.ts";

const MOST_BROWSERS = 10;
/** As long as a session may last (decisions, section 2): a browser unseen since then belongs to nobody. */
const KEPT_MS = 180 * DAY_MS;
const SEEN_EVERY_MS = DAY_MS;
const AT_ONCE = 500;

/** As a browser gives it (Push API, PushSubscription.toJSON). */
export interface Endpoint {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

export const placeOf = (id: string) => `push_subscriptions.endpoint:${id}`;
export const sealedEndpoints: SealedColumn = {
  table: "push_subscriptions",
  column: "sealed_endpoint",
  key: ["id"],
  place: ({ id = "" }) => placeOf(id),
};

interface Parts extends Platform {
  members: Members;
  outbox: Outbox;
  internet: Internet;
}

type EndedSessions = NonNullable<typeof sessionsEnded.payload>;

export type Subscriptions = ReturnType<typeof makeSubscriptions>;

/** Which browsers show whose notices. A browser has one subscription, of the member who is signed in there. */
export function makeSubscriptions({ db, transact, clock, sealing, members, outbox, internet }: Parts) {
  const hashOf = (endpoint: string) => sealing.hash("push-endpoint", endpoint);
  const now = () => clock.now().getTime();

  const sealed = async (tx: Tx, id: string, { endpoint, keys }: Endpoint) => ({
    endpoint_hash: hashOf(endpoint),
    sealed_endpoint: (await sealing.sealer(tx))(placeOf(id), JSON.stringify({ endpoint, keys })),
  });

  const remove = async (tx: Tx, ids: readonly string[]): Promise<void> => {
    await repository.remove(tx, ids);
    await outbox.forgetTargets(tx, "push", ids);
  };

  /** Resolves the name before the transaction; each sending checks its then current address again. */
  const refuseUnfit = async ({ endpoint, keys }: Endpoint): Promise<void> => {
    if (!isPoint(keys.p256dh)) refuse("push.keys_invalid", { field: "keys" });
    if ((await internet.isOpen(new URL(endpoint))) === false) refuse("push.address_refused", { field: "endpoint" });
  };

  return {
    ofMember: (memberId: string) => repository.ofMember(db, memberId),
    remove,

    async subscribe(actor: Actor, input: Endpoint & { language: Language }): Promise<void> {
      await refuseUnfit(input);
      await transact(async (tx) => {
        // The lock keeps two browsers from both taking the last slot.
        (await members.lock(tx, actor.memberId)) ?? refuse("member.not_found");
        const before = await repository.findByEndpoint(tx, hashOf(input.endpoint));
        const here = await repository.idsOfSessions(tx, [actor.sessionId]);
        await remove(tx, [...here, ...(before === undefined ? [] : [before.id])]);
        if ((await repository.ofMember(tx, actor.memberId)).length >= MOST_BROWSERS)
          refuse("push.too_many", { max: MOST_BROWSERS });
        const id = randomUUID();
        await repository.insert(tx, {
          id,
          member_id: actor.memberId,
          session_id: actor.sessionId,
          ...(await sealed(tx, id, input)),
          device: actor.device,
          language: input.language,
          created_at: now(),
          seen_at: now(),
        });
      });
    },

    /**
     * The browser is back: after a new sign-in, in another language, or at a new address. False if it shows nothing of this
     * member's; another member's earlier subscription there has then ended.
     */
    async keep(actor: Actor, input: Endpoint & { language?: Language | undefined }): Promise<boolean> {
      // Nearly always the endpoint is unchanged, and nothing needs resolving.
      if ((await repository.findByEndpoint(db, hashOf(input.endpoint))) === undefined) await refuseUnfit(input);
      return transact(async (tx) => {
        const all = await repository.ofMember(tx, actor.memberId);
        const row = await repository.findByEndpoint(tx, hashOf(input.endpoint));
        if (row !== undefined && row.member_id !== actor.memberId) {
          await remove(tx, [row.id]);
          return false;
        }
        const known = row ?? all.find(({ session_id }) => session_id === actor.sessionId);
        if (known === undefined) return false;
        await remove(
          tx,
          all.filter(({ id, session_id }) => session_id === actor.sessionId && id !== known.id).map(({ id }) => id),
        );
        const isMoved = row === undefined;
        const { language = known.language } = input;
        const isNews = known.session_id !== actor.sessionId || known.language !== language;
        if (isMoved || isNews || now() - known.seen_at > SEEN_EVERY_MS)
          await repository.update(tx, known.id, {
            ...(isMoved && (await sealed(tx, known.id, input))),
            session_id: actor.sessionId,
            device: actor.device,
            language,
            seen_at: now(),
          });
        return true;
      });
    },

    removeOwn: ({ memberId }: Actor, id: string): Promise<void> =>
      transact(async (tx) => {
        const own = (await repository.ofMember(tx, memberId)).some((row) => row.id === id);
        if (!own) refuse("push.not_found");
        await remove(tx, [id]);
      }),

    /** Null: it was removed. */
    async open(id: string): Promise<(Endpoint & Pick<SubscriptionRow, "language">) | null> {
      const row = await repository.find(db, id);
      if (row === undefined) return null;
      return { ...(JSON.parse(sealing.open(placeOf(id), row.sealed_endpoint)) as Endpoint), language: row.language };
    },

    /** Ends what depends on these sessions; `all`: of the member, except the one that continues. */
    async endWith(tx: Tx, ended: readonly EndedSessions[]): Promise<void> {
      const endOf = new Map(ended.map((each) => [each.memberId, each]));
      const own = await repository.targetsOf(tx, [...endOf.keys()]);
      const gone = own.filter(({ member_id, session_id }) => {
        const { all, sessionIds = [] } = endOf.get(member_id) ?? {};
        return all === undefined ? sessionIds.includes(session_id) : session_id !== all.except;
      });
      await remove(
        tx,
        gone.map(({ id }) => id),
      );
    },

    async removeOf(tx: Tx, memberId: string): Promise<void> {
      await remove(tx, await repository.idsOf(repository.ofMember(tx, memberId)));
    },

    forgetOld: (): Promise<void> =>
      transact(async (tx) => remove(tx, await repository.idsSeenBefore(tx, now() - KEPT_MS, AT_ONCE))),
  };
}

/** Whether it is a point of the curve; anything else would fail with each notice. */
function isPoint(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, "prime256v1", "base64url", "base64url", "uncompressed");
    return true;
  } catch {
    return false;
  }
}
