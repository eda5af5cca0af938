import type { QueryOf } from "@krug/contract/endpoint";
import type { ConfigAnswer, configs as configsContract } from "@krug/contract/vpn/configs";
import { isoOf } from "@krug/domain/moment";
import { may } from "@krug/domain/staff-actions";
import type { Actor, Call } from "../../../platform/http/call.ts";
import { tellPage } from "../../../platform/pages.ts";
import { seesVip } from "../../club/rights/index.ts";
import type { MemberRow } from "../../members/members/index.ts";
import { makeDescribe } from "./describe-configs.ts";
import { makeConfigList } from "./list.ts";
import type { ConfigParts } from "./parts.ts";
import * as peers from "./peers-repository.ts";
import { keptOf } from "./places.ts";
import * as repository from "./repository.ts";
import type { ConfigRow } from "./table.ts";

type ListQuery = QueryOf<typeof configsContract.list>;
type Reply = Call<typeof configsContract.list>["reply"];
type Located = Pick<ConfigRow, "id" | "member_id" | "interface_id" | "address" | "address_v6" | "moves_until">;
type Made = Pick<ConfigRow, "id" | "made_by" | "delivered_at">;
type Owned = Located & Pick<MemberRow, "username" | "display_name">;

/** Configs as staff see them: each with its owner and place, in addition to what its owner sees. */
export function makeStaffView(parts: ConfigParts) {
  const { db, auth, members, interfaces } = parts;
  const describe = makeDescribe(parts);
  const list = makeConfigList(parts);

  const placeOf = async (rows: readonly Located[]) => {
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

  /** Of configs that staff made for a member: until when the link opens; null once handed over. */
  const handOverOf = async (rows: readonly Made[]) => {
    const made = rows.filter((row) => row.made_by !== null).map((row) => row.id);
    const ends = await auth.configLinkEnds(db, made);
    return (row: Made) => {
      const linkUntil = ends.get(row.id);
      const isHandedOver = row.made_by === null || (row.delivered_at !== null && linkUntil === undefined);
      return isHandedOver ? null : { linkUntil: isoOf(linkUntil) };
    };
  };

  return {
    /** A page of everyone's. */
    async page(actor: Actor, query: ListQuery, reply: Reply) {
      const search = {
        text: query.q,
        filter: query.filter,
        interfaceId: query.interfaceId,
        withVip: seesVip(actor, query.as),
      };
      const { rows, next, total } = await list.page(db, search, query);
      tellPage(reply, { next, total });
      const answers = await describe(db, rows);
      const staff = await placeOf(rows);
      return rows.map((row, at) => ({ ...(answers[at] as ConfigAnswer), staff: staff(row) }));
    },
    /** All of one member's; the member themselves gets what they see. */
    async ofMember(actor: Actor, memberId: string) {
      const rows = await repository.ofMember(db, memberId);
      const described = await describe(db, rows);
      const seesPlaces = may(actor.role, "configs.see_all") && actor.elevated;
      const owner = seesPlaces && rows.length > 0 ? await members.find(db, memberId) : undefined;
      if (owner === undefined) return described;
      const whole = await peers.byIds(
        db,
        rows.map(({ id }) => id),
      );
      const staff = await placeOf(whole);
      const { username, display_name } = owner;
      const staffOf = new Map(whole.map((row) => [row.id, staff({ ...row, username, display_name })]));
      const answers = described.map((answer) => ({ ...answer, staff: staffOf.get(answer.id) }));
      if (!may(actor.role, "configs.change_any")) return answers;
      const handOver = await handOverOf(rows);
      return rows.map((row, at) => ({ ...(answers[at] as ConfigAnswer), handOver: handOver(row) }));
    },
  };
}
