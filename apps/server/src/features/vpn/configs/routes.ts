import { isIP } from "node:net";
import type { QueryOf } from "@krug/contract/endpoint";
import type {
  ConfigAnswer,
  ConfigWithTextAnswer,
  configs as configsContract,
  LiveStatsAnswer,
} from "@krug/contract/vpn/configs";
import { isoOf } from "@krug/domain/moment";
import { may } from "@krug/domain/staff-actions";
import type { Actor, Call, Handlers } from "../../../platform/http/call.ts";
import { tellPage } from "../../../platform/pages.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Auth } from "../../access/auth/index.ts";
import type { SecurityGate } from "../../access/security-gate/index.ts";
import { isHidden, requireRight, seesVip } from "../../club/rights/index.ts";
import type { MemberRow } from "../../members/members/index.ts";
import { endpointOf, tunnelOf } from "../interfaces/index.ts";
import type { Probe } from "../probe/index.ts";
import * as addresses from "./addresses.ts";
import { makeBlockConfig } from "./block-config.ts";
import { makeConfigChanges } from "./change-config.ts";
import { preferredPlace, stateOf, whyUnusable } from "./choose-interface.ts";
import { makeConfigText } from "./config-text.ts";
import { makeCreateConfig } from "./create-config.ts";
import { awaySince, makeDescribe } from "./describe-configs.ts";
import { makeDiagnose } from "./diagnose-config.ts";
import { makeEditConfig } from "./edit-config.ts";
import { makeGiveFile, ownConfig } from "./give-file.ts";
import { makeHandOver } from "./hand-over.ts";
import { makeConfigList } from "./list.ts";
import { makeMoveFor } from "./move-for.ts";
import type { Changed, ConfigParts } from "./parts.ts";
import { keptOf } from "./places.ts";
import * as repository from "./repository.ts";
import type { ConfigRow } from "./table.ts";

/** How long an answer waits for the server to confirm a change, so that it can say 'applied'. */
const APPLY_WAIT_MS = 2_000;

interface Parts extends ConfigParts {
  auth: ConfigParts["auth"] & Pick<Auth, "memberOf">;
  /** Brings a server's counters up to date if the last reading is old. */
  readStats(serverId: string, freshMs?: number): Promise<void>;
  speedOf(serverId: string, configId: string): LiveStatsAnswer["speed"];
  securityGate: Pick<SecurityGate, "countryOf">;
  probe: Pick<Probe, "of">;
}

/** With seven seconds between a page's polls, a card shows a handshake within 15 s; all viewers share a reading. */
const WATCHED_FRESH_MS = 5_000;
const MOST_WATCHED = 1_000;

type ListQuery = QueryOf<typeof configsContract.list>;

export function makeConfigRoutes(parts: Parts): Handlers<typeof configsContract> {
  const { db, jobs, auth, interfaces, members, templates, catalog, traffic, readStats, speedOf, securityGate } = parts;
  const changes = makeConfigChanges(parts);
  const describe = makeDescribe(parts);
  const list = makeConfigList(parts);
  const create = makeCreateConfig(parts);
  const textOf = makeConfigText(parts);
  const give = makeGiveFile(parts);
  const diagnose = makeDiagnose(parts);
  const edit = makeEditConfig(parts);
  const handOver = makeHandOver(parts);
  const moveFor = makeMoveFor(parts);
  const blockConfig = makeBlockConfig(parts);
  /** After a change by staff, once its server has it or after a moment. */
  const shown = async ({ config, jobIds }: Changed) => {
    await jobs.settled(jobIds, APPLY_WAIT_MS);
    const [answer] = await describe(db, await repository.byIds(db, [config.id]));
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
  const own = (actor: Actor, id: string) => ownConfig(parts, actor.memberId, id);
  /** The rows for a dashboard, after reading the machines that carry them. */
  const withFreshCounters = async (memberId: string, limit: number, freshMs?: number) => {
    const rows = await repository.ofMember(db, memberId, limit);
    const places = await interfaces.knownPlaces(db);
    const serverIds = new Set(
      rows.flatMap((row) => {
        const server = places.get(row.interface_id)?.server;
        return server?.unreachable_since === null ? server.id : [];
      }),
    );
    await Promise.all([...serverIds].map((id) => readStats(id, freshMs)));
    return rows;
  };
  /** The member's own config, after reading the machine that carries it. */
  const withFreshCounter = async (actor: Actor, id: string) => {
    const row = await own(actor, id);
    const place = await interfaces.find(db, row.interface_id);
    if (place !== undefined) await readStats(place.server_id);
    return row;
  };
  /** Anyone's config as staff may see it, after reading the machine that carries it. */
  const anyones = async (actor: Actor, id: string, as?: "moderator") => {
    const [row] = await repository.byIds(db, [id]);
    const owner = row && (await members.find(db, row.member_id));
    if (!row || row.place_of !== null || row.deleted_at !== null || !owner || isHidden(actor, owner, as))
      return refuse("config.not_found");
    const place = await interfaces.find(db, row.interface_id);
    if (place !== undefined) await readStats(place.server_id);
    return row;
  };
  type Placed = Pick<ConfigRow, "id" | "interface_id">;
  const liveStats = async (rows: readonly Placed[]): Promise<(row: Placed) => LiveStatsAnswer> => {
    const ids = rows.map(({ id }) => id);
    const statsOfOne = await traffic.statsOf(db, ids);
    const places = await interfaces.knownPlaces(db);
    return ({ id, interface_id }) => {
      const serverId = places.get(interface_id)?.server.id;
      return { ...statsOfOne(id), speed: serverId === undefined ? null : speedOf(serverId, id) };
    };
  };
  const statsOf = async (actor: Actor, id: string) => {
    const row = await withFreshCounter(actor, id);
    return (await liveStats([row]))(row);
  };
  /** Oneself, or anyone for elevated staff; VIP members don't exist for a moderator. */
  const memberFor = async (actor: Actor, idOrName: string) => {
    if (idOrName === actor.memberId || idOrName.toLowerCase() === actor.username.toLowerCase()) return actor.memberId;
    requireRight(actor, "configs.see_all", "auth.not_yourself");
    const member = await members.findByIdOrUsername(db, idOrName);
    if (member === undefined || isHidden(actor, member)) refuse("member.not_found");
    return member.id;
  };
  /** Everyone's configs, for staff. */
  const listed = async (actor: Actor, query: ListQuery, reply: Call<typeof configsContract.list>["reply"]) => {
    const withVip = seesVip(actor, query.as);
    const wish = { text: query.q, filter: query.filter, interfaceId: query.interfaceId, withVip };
    const { rows, next, total } = await list.page(db, wish, query);
    tellPage(reply, { next, total });
    const answers = await describe(db, rows);
    const seen = await seenByStaff(rows);
    return rows.map((row, at) => ({ ...(answers[at] as ConfigAnswer), staff: seen(row) }));
  };
  type Standing = Pick<ConfigRow, "id" | "member_id" | "interface_id" | "address" | "address_v6" | "moves_until">;
  type Owned = Standing & Pick<MemberRow, "username" | "display_name">;
  /** Each config's owner and place, in addition to what its owner sees. */
  const seenByStaff = async (rows: readonly Standing[]) => {
    const places = await interfaces.places(db);
    const moving = rows.filter((row) => row.moves_until !== null).map(({ id }) => id);
    const leaves = moving.length === 0 ? null : await keptOf(db, moving);
    const leftBy = (id: string) => {
      const left = leaves?.get(id);
      return left === undefined ? null : { address: left.address, addressV6: left.address_v6 };
    };
    return (row: Owned) => ({
      owner: { id: row.member_id, username: row.username, displayName: row.display_name },
      interfaceName: places.get(row.interface_id)?.interface.name ?? "",
      address: row.address,
      addressV6: row.address_v6,
      movingFrom: leftBy(row.id),
    });
  };

  /** By address, if local data has it; a name is not resolved for this. */
  const countriesOf = async (endpoints: readonly string[]): Promise<Map<string, string | null>> => {
    const found = new Map<string, string | null>();
    for (const endpoint of new Set(endpoints))
      if (isIP(endpoint) !== 0) found.set(endpoint, await securityGate.countryOf(endpoint));
    return found;
  };

  return {
    async list({ actor, query, reply }) {
      if (query.scope === "own")
        return describe(db, await withFreshCounters(actor.memberId, query.limit), auth.memberOf(actor));
      requireRight(actor, "configs.see_all", "auth.forbidden");
      return listed(actor, query, reply);
    },
    async create({ actor, body, idempotencyKey, counted }) {
      if (body.userId !== undefined && body.userId !== actor.memberId) refuse("auth.not_yourself", { field: "userId" });
      const { config, jobIds } = await create(counted, actor.memberId, body, idempotencyKey);
      await jobs.settled(jobIds, APPLY_WAIT_MS);
      return withTemplate(actor, config);
    },
    async ofMember({ actor, params }) {
      const rows = await repository.ofMember(db, await memberFor(actor, params.id));
      const described = await describe(db, rows);
      const owner =
        may(actor.role, "configs.see_all") && actor.elevated
          ? await members.find(db, rows[0]?.member_id ?? "")
          : undefined;
      if (owner === undefined) return described;
      const whole = await repository.byIds(
        db,
        rows.map(({ id }) => id),
      );
      const seen = await seenByStaff(whole);
      const { username, display_name } = owner;
      const staffOf = new Map(whole.map((row) => [row.id, seen({ ...row, username, display_name })]));
      const answers = described.map((answer) => ({ ...answer, staff: staffOf.get(answer.id) }));
      if (!may(actor.role, "configs.change_any")) return answers;
      const made = rows.filter((row) => row.made_by !== null).map((row) => row.id);
      const ends = await auth.configLinkEnds(db, made);
      return rows.map((row, at) => {
        const linkUntil = ends.get(row.id);
        const isHandedOver = row.made_by === null || (row.delivered_at !== null && linkUntil === undefined);
        const handOver = isHandedOver ? null : { linkUntil: isoOf(linkUntil) };
        return { ...(answers[at] as ConfigAnswer), handOver };
      });
    },
    async makeFor({ actor, params, body, idempotencyKey, counted, origin }) {
      if (actor.apiToken?.scopes.has("configs:files") === false)
        refuse("api_token.scope_missing", { scope: "configs:files" }); // the link opens the file with its private key
      const member = (await members.findByIdOrUsername(db, params.id)) ?? refuse("member.not_found");
      const made = await handOver.make(counted, actor, member.id, body, { idempotencyKey, origin });
      await jobs.settled(made.jobIds, APPLY_WAIT_MS);
      const [config] = await describe(db, await repository.byIds(db, [made.config.id]));
      return { config: config ?? refuse("config.not_found"), link: made.link, expiresAt: made.expiresAt };
    },
    move: async ({ actor, params, body }) => shown(await moveFor(actor, params.id, body.interfaceId)),
    block: async ({ actor, params, body }) => shown(await blockConfig(actor, params.id, body.isBlocked)),
    renewLink: ({ actor, params, origin }) => handOver.renewLink(actor, params.id, origin),
    async revokeLink({ actor, params }) {
      await handOver.revokeLink(actor, params.id);
      return undefined;
    },
    openLink: ({ body, address }) => handOver.open(body.token, address),
    async remove({ actor, params }) {
      await jobs.settled(await changes.remove(actor, params.id), APPLY_WAIT_MS);
      return undefined;
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
      const rows = await withFreshCounters(actor.memberId, MOST_WATCHED, WATCHED_FRESH_MS);
      const statsOfOne = await liveStats(rows);
      const places = await interfaces.knownPlaces(db);
      return rows.map((row) => ({
        id: row.id,
        ...statsOfOne(row),
        serverAwaySince: awaySince(places.get(row.interface_id)),
      }));
    },
    async staffStats({ actor, params, query }) {
      const row = await anyones(actor, params.id, query.as);
      return (await liveStats([row]))(row);
    },
    stats: ({ actor, params }) => statsOf(actor, params.id),
    statsByConfig: ({ actor, params }) => statsOf(actor, params.id),
    staffDiagnosis: async ({ actor, params, query }) => diagnose(await anyones(actor, params.id, query.as), null),
    diagnosis: async ({ actor, params, query }) =>
      diagnose(await withFreshCounter(actor, params.id), query.clock ?? null),
    async availableServers({ actor, query }) {
      const memberId = query.userId === undefined ? actor.memberId : await memberFor(actor, query.userId);
      const open = await interfaces.openTo(db, memberId);
      return [...new Map(open.map((place) => [place.server.id, place.server])).values()].map((server) => ({
        id: server.id,
        name: server.name,
        isMain: server.is_main === 1,
        is_main: server.is_main === 1 ? 1 : 0,
        isSetupComplete: server.is_setup_complete === 1,
        is_setup_complete: server.is_setup_complete === 1 ? 1 : 0,
      }));
    },
    async availableInterfaces({ actor, query }) {
      const memberId = query.userId === undefined ? actor.memberId : await memberFor(actor, query.userId);
      const open = await interfaces.openTo(db, memberId);
      const load = await addresses.load(db, open);
      const suggested = (await templates.begunWith(db, memberId))?.interfaceId;
      const preferred = preferredPlace(open, load, { suggested })?.interface.id;
      const countries = await countriesOf(open.flatMap((place) => endpointOf(place) ?? []));
      return open.map((place) => {
        const used = load.get(place.interface.id) ?? 0;
        const reason = whyUnusable(place, used);
        return {
          id: place.interface.id,
          name: place.interface.name,
          isActive: reason === null,
          is_active: reason === null,
          reason,
          serverId: place.server.id,
          server_id: place.server.id,
          serverName: place.server.name,
          tunnel: tunnelOf(place.interface),
          serverState: stateOf(place, used),
          serverCountry: countries.get(endpointOf(place) ?? "") ?? null,
          isPreferred: place.interface.id === preferred,
        };
      });
    },
    async suggestedServices({ actor, query }) {
      const memberId = query.userId === undefined ? actor.memberId : await memberFor(actor, query.userId);
      const named = new Set((await templates.begunWith(db, memberId))?.serviceIds);
      return (await catalog.services(db)).flatMap(({ id }) => (named.has(id) ? [id] : []));
    },
  };
}
