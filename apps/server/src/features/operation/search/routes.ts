import type { Contract } from "@krug/contract/api";
import { FOUND_AT_MOST } from "@krug/contract/operation/search";
import type { Db } from "../../../platform/database/database.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Invites } from "../../access/invites/index.ts";
import { seesServerSecrets, seesVip } from "../../club/rights/index.ts";
import type { MemberRow, Members } from "../../members/members/index.ts";
import type { Support } from "../../messages/support/index.ts";
import type { Configs } from "../../vpn/configs/index.ts";
import type { Interfaces } from "../../vpn/interfaces/index.ts";
import type { Servers } from "../../vpn/servers/index.ts";

interface Parts {
  db: Db;
  members: Members;
  configs: Configs;
  invites: Invites;
  servers: Servers;
  interfaces: Interfaces;
  support: Support;
}

/** What staff find from any screen by typing part of its name. */
export function makeSearchRoutes(parts: Parts): Handlers<Contract["search"]> {
  const { db, members, configs, invites, servers, interfaces, support } = parts;
  return {
    async find({ actor, query }) {
      const text = query.q;
      const withVip = seesVip(actor, query.as);
      const limit = FOUND_AT_MOST;
      const contains = (...names: readonly (string | null)[]) =>
        names.some((name) => name?.toLowerCase().includes(text.toLowerCase()));

      const [found, devices, code, places, tickets] = await Promise.all([
        members.search(db, { text, state: "all", withVip }, { limit }),
        configs.list.first(db, text, { withVip, limit }),
        invites.staffCodeTyped(db, text, { withVip }),
        interfaces.knownPlaces(db),
        support.ticketsAbout(db, { withVip }, text, limit),
      ]);
      // How machines are reached is for admins only.
      const machines = seesServerSecrets(actor, query.as) ? await servers.known(db) : [];
      const ids = new Set([...devices, ...tickets].map((row) => row.member_id));
      const owners = new Map((await members.byIds(db, [...ids])).map((row) => [row.id, named(row)]));
      /** With their owners; rows without one are left out. */
      const owned = <Row extends { member_id: string }>(rows: readonly Row[]) =>
        rows.flatMap((row) => {
          const owner = owners.get(row.member_id);
          return owner === undefined ? [] : [{ ...row, owner }];
        });
      return {
        members: found.rows.map((row) => ({ ...named(row), isActive: row.is_active === 1 })),
        configs: owned(devices).map(({ id, name, address, interface_id, owner }) => ({
          id,
          name,
          address,
          interfaceName: places.get(interface_id)?.interface.name ?? "",
          owner,
        })),
        codes: code === undefined ? [] : [code],
        servers: machines
          .filter((row) => contains(row.name, row.endpoint, row.default_endpoint))
          .slice(0, limit)
          .map(({ id, name, endpoint, default_endpoint }) => ({ id, name, endpoint: endpoint ?? default_endpoint })),
        interfaces: [...places.values()]
          .filter((place) => contains(place.interface.name, place.interface.interface_name, place.interface.subnet))
          .slice(0, limit)
          .map(({ interface: { id, name, subnet }, server }) => ({
            id,
            name,
            subnet,
            serverId: server.id,
            serverName: server.name,
          })),
        tickets: owned(tickets).map(({ id, subject, status, owner }) => ({ id, subject, status, owner })),
      };
    },
  };
}

const named = (row: MemberRow) => ({ id: row.id, username: row.username, displayName: row.display_name });
