import type { Contract } from "@krug/contract/api";
import { isoOf } from "@krug/domain/moment";
import type { Db } from "../../../platform/database/database.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Maintenance } from "../../access/maintenance/index.ts";
import type { Backups } from "../../club/backup/index.ts";
import { seesVip } from "../../club/rights/index.ts";
import type { Support } from "../../messages/support/index.ts";
import type { Payments } from "../../money/payments/index.ts";
import type { Exits } from "../../vpn/exits/index.ts";
import type { Servers } from "../../vpn/servers/index.ts";

interface Parts {
  db: Db;
  servers: Pick<Servers, "all">;
  exits: Pick<Exits, "gone">;
  backups: Pick<Backups, "lateSince">;
  maintenance: Pick<Maintenance, "since">;
  payments: Pick<Payments, "claimsWaiting">;
  support: Pick<Support, "chatsWaiting">;
}

/** What staff must not miss, on any of their screens. */
export function makeAlarmRoutes(parts: Parts): Handlers<Contract["alarms"]> {
  const { db, servers, exits, backups, maintenance, payments, support } = parts;
  return {
    async read({ actor, query }) {
      const withVip = seesVip(actor, query.as);
      const [all, exitsGone, backupLateSince, maintenanceSince, claims, conversations] = await Promise.all([
        servers.all(db),
        exits.gone(db),
        backups.lateSince(),
        maintenance.since(db),
        payments.claimsWaiting(withVip),
        support.chatsWaiting(db, { memberId: actor.memberId, withVip }),
      ]);
      return {
        servers: all
          .flatMap(({ id, name, unreachable_since: since }) => (since === null ? [] : [{ id, name, since }]))
          .sort((one, other) => one.since - other.since)
          .map(({ since, ...server }) => ({ ...server, since: isoOf(since) })),
        exits: exitsGone.map(({ since, ...exit }) => ({ ...exit, since: isoOf(since) })),
        backupLateSince: isoOf(backupLateSince),
        maintenanceSince: isoOf(maintenanceSince),
        claims,
        conversations,
      };
    },
  };
}
