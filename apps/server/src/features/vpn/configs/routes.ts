import type { ConfigWithTextAnswer, configs as configsContract } from "@krug/contract/vpn/configs";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Auth } from "../../access/auth/index.ts";
import { requireRight } from "../../club/rights/index.ts";
import type { Probe } from "../probe/index.ts";
import { makeBlockConfig } from "./block-config.ts";
import { makeConfigChanges } from "./change-config.ts";
import { makeChooseServices } from "./choose-services.ts";
import { makeConfigText } from "./config-text.ts";
import { makeCreateConfig } from "./create-config.ts";
import { awaySince, makeDescribe, makeDescribeOwn } from "./describe-configs.ts";
import { makeDeviceEnd } from "./device-end.ts";
import { makeDiagnose } from "./diagnose-config.ts";
import { makeDormant } from "./dormant.ts";
import { makeEditConfig } from "./edit-config.ts";
import { makeGiveFile, ownConfig } from "./give-file.ts";
import { makeHandOver } from "./hand-over.ts";
import { type LiveStatsParts, makeLiveStats } from "./live-stats.ts";
import { makeMoveFor } from "./move-for.ts";
import { makeOfferedPlaces, type OfferedPlacesParts } from "./offered-places.ts";
import type { Changed, ConfigParts } from "./parts.ts";
import * as peers from "./peers-repository.ts";
import * as repository from "./repository.ts";
import { makeStaffView } from "./staff-view.ts";
import type { ConfigRow } from "./table.ts";
import { makeWhoseConfig } from "./whose-config.ts";

/** How long an answer waits for the server to confirm a change, so that it can say 'applied'. */
const APPLY_WAIT_MS = 2_000;
/** With seven seconds between a page's polls, a card shows a handshake within 15 s; all viewers share a reading. */
const WATCHED_FRESH_MS = 5_000;
const MOST_WATCHED = 1_000;

interface Parts extends ConfigParts, LiveStatsParts, OfferedPlacesParts {
  auth: ConfigParts["auth"] & Pick<Auth, "memberOf">;
  probe: Pick<Probe, "of">;
}

export function makeConfigRoutes(parts: Parts): Handlers<typeof configsContract> {
  const { db, jobs, auth, interfaces, members } = parts;
  const changes = makeConfigChanges(parts);
  const describe = makeDescribe(parts);
  const create = makeCreateConfig(parts);
  const textOf = makeConfigText(parts);
  const give = makeGiveFile(parts);
  const diagnose = makeDiagnose(parts);
  const edit = makeEditConfig(parts);
  const handOver = makeHandOver(parts);
  const moveFor = makeMoveFor(parts);
  const blockConfig = makeBlockConfig(parts);
  const dormant = makeDormant(parts);
  const deviceEnd = makeDeviceEnd(parts);
  const chooseServices = makeChooseServices(parts);
  const stats = makeLiveStats(parts);
  const describeOwn = makeDescribeOwn({ ...parts, ...stats }, describe);
  const offered = makeOfferedPlaces(parts);
  const staffView = makeStaffView(parts);
  const { memberFor, anyones } = makeWhoseConfig(parts);

  /** After a change by staff, once its server has it or after a moment. */
  const shown = async ({ config, jobIds }: Changed) => {
    await jobs.settled(jobIds, APPLY_WAIT_MS);
    const [answer] = await describe(db, await peers.byIds(db, [config.id]));
    return answer ?? refuse("config.not_found");
  };
  const describeOne = async (actor: Actor, id: string) => {
    const row = await repository.findOwn(db, id, actor.memberId);
    const [answer] = row === undefined ? [] : await describe(db, [row], auth.memberOf(actor));
    return answer ?? refuse("config.not_found");
  };
  /** A browser that made the key gets the file without it, once. */
  const withTemplate = async (actor: Actor, row: ConfigRow): Promise<ConfigWithTextAnswer> => ({
    ...(await describeOne(actor, row.id)),
    template: row.sealed_private_key === null ? await textOf(db, row) : null,
  });
  const own = async (actor: Actor, id: string) => stats.fresh(await ownConfig(parts, actor.memberId, id));
  const ownStats = async (actor: Actor, id: string) => stats.ofOne(await own(actor, id));
  const forStaff = async (actor: Actor, id: string, as?: "moderator") => stats.fresh(await anyones(actor, id, as));
  const chooser = async (actor: Actor, userId: string | undefined) =>
    userId === undefined ? actor.memberId : memberFor(actor, userId);

  return {
    async list({ actor, query, reply }) {
      if (query.scope === "own")
        return describeOwn(db, await stats.freshRows(actor.memberId, query.limit), auth.memberOf(actor));
      requireRight(actor, "configs.see_all", "auth.forbidden");
      return staffView.page(actor, query, reply);
    },
    async create({ actor, body, idempotencyKey, counted }) {
      if (body.userId !== undefined && body.userId !== actor.memberId) refuse("auth.not_yourself", { field: "userId" });
      const { config, jobIds } = await create(counted, actor.memberId, body, idempotencyKey);
      await jobs.settled(jobIds, APPLY_WAIT_MS);
      return withTemplate(actor, config);
    },
    ofMember: async ({ actor, params }) => staffView.ofMember(actor, await memberFor(actor, params.id)),
    async makeFor({ actor, params, body, idempotencyKey, counted, origin }) {
      if (actor.apiToken?.scopes.has("configs:files") === false)
        refuse("api_token.scope_missing", { scope: "configs:files" }); // the link opens the file with its private key
      const member = (await members.findByIdOrUsername(db, params.id)) ?? refuse("member.not_found");
      const made = await handOver.make(counted, actor, member.id, body, { idempotencyKey, origin });
      await jobs.settled(made.jobIds, APPLY_WAIT_MS);
      const [config] = await describe(db, await peers.byIds(db, [made.config.id]));
      return { config: config ?? refuse("config.not_found"), link: made.link, expiresAt: made.expiresAt };
    },
    move: async ({ actor, params, body }) => shown(await moveFor(actor, params.id, body.interfaceId)),
    block: async ({ actor, params, body }) => shown(await blockConfig(actor, params.id, body.isBlocked)),
    reactivate: async ({ actor, params }) => shown(await dormant.reactivate(actor, params.id, true)),
    reactivateAny: async ({ actor, params }) => shown(await dormant.reactivate(actor, params.id, false)),
    end: async ({ actor, params, body }) => shown(await deviceEnd.setByStaff(actor, params.id, body.until)),
    chooseServices: async ({ actor, params, body }) =>
      shown({ config: await chooseServices(actor, params.id, body.services), jobIds: [] }),
    renewLink: ({ actor, params, origin }) => handOver.renewLink(actor, params.id, origin),
    async revokeLink({ actor, params }) {
      await handOver.revokeLink(actor, params.id);
    },
    openLink: ({ body, address }) => handOver.open(body.token, address),
    async remove({ actor, params }) {
      await jobs.settled(await changes.remove(actor, params.id), APPLY_WAIT_MS);
    },
    async removeMany({ actor, body }) {
      const { deleted, jobIds } = await changes.removeMany(actor, body.ids);
      await jobs.settled(jobIds, APPLY_WAIT_MS);
      return { deleted };
    },
    async restore({ actor, params }) {
      const { config, jobIds } = await changes.restore(actor.memberId, params.id);
      await jobs.settled(jobIds, APPLY_WAIT_MS);
      return describeOne(actor, config.id);
    },
    async replaceKey({ actor, params, body, idempotencyKey }) {
      const { config, jobIds } = await changes.replaceKey(actor.memberId, params.id, body?.publicKey, idempotencyKey);
      await jobs.settled(jobIds, APPLY_WAIT_MS);
      return withTemplate(actor, config);
    },
    async change({ actor, params, body }) {
      const { config, isNewFile, jobIds } = await edit(actor, params.id, body);
      await jobs.settled(jobIds, APPLY_WAIT_MS);
      return isNewFile ? withTemplate(actor, config) : { ...(await describeOne(actor, config.id)), template: null };
    },
    async download({ actor, params }) {
      const { name, content } = await give.file(actor.memberId, params.id);
      return { fileName: `${name}.conf`, content };
    },
    async link({ actor, params }) {
      const { name, content } = await give.link(actor.memberId, params.id);
      return { link: content, name };
    },
    async qrcode({ actor, params }) {
      const { name, content } = await give.file(actor.memberId, params.id);
      return { config: content, name };
    },
    async ownStats({ actor }) {
      const rows = await stats.freshRows(actor.memberId, MOST_WATCHED, WATCHED_FRESH_MS);
      const statsOfOne = await stats.of(rows);
      const places = await interfaces.knownPlaces(db);
      return rows.map((row) => ({
        id: row.id,
        ...statsOfOne(row),
        serverAwaySince: awaySince(places.get(row.interface_id)),
      }));
    },
    staffStats: async ({ actor, params, query }) => stats.ofOne(await forStaff(actor, params.id, query.as)),
    stats: ({ actor, params }) => ownStats(actor, params.id),
    statsByConfig: ({ actor, params }) => ownStats(actor, params.id),
    staffDiagnosis: async ({ actor, params, query }) => diagnose(await forStaff(actor, params.id, query.as), null),
    diagnosis: async ({ actor, params, query }) => diagnose(await own(actor, params.id), query.clock ?? null),
    availableServers: async ({ actor, query }) => offered.servers(await chooser(actor, query.userId)),
    availableInterfaces: async ({ actor, query }) => offered.interfaces(await chooser(actor, query.userId)),
    suggestedServices: async ({ actor, query }) => offered.suggestedServices(await chooser(actor, query.userId)),
  };
}
