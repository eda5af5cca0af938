import type { Contract } from "@krug/contract/api";
import { whyOf } from "@krug/contract/reasons";
import { isoOf } from "@krug/domain/moment";
import type { Db } from "../../../platform/database/database.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Servers } from "../servers/index.ts";
import type { Exits } from "./index.ts";
import type { LinkRow } from "./table.ts";

interface Parts {
  db: Db;
  servers: Pick<Servers, "workable">;
  exits: Pick<Exits, "all" | "now">;
}

export function makeExitRoutes({ db, servers, exits }: Parts): Handlers<Contract["exits"]> {
  return {
    async list() {
      const { name } = await exits.now(db);
      const problems = (row: LinkRow) =>
        (["entry", "exit"] as const).flatMap((side) => {
          const why = row[`${side}_conflict`];
          return why === null ? [] : [{ server: name(row[`${side}_id`]), why: whyOf(why) }];
        });
      return {
        servers: (await servers.workable(db))
          .filter(({ endpoint, default_endpoint }) => (endpoint ?? default_endpoint) !== null)
          .map(({ id, name }) => ({ id, name })),
        links: (await exits.all(db)).map((row) => ({
          entryId: row.entry_id,
          entryName: name(row.entry_id),
          exitId: row.exit_id,
          exitName: name(row.exit_id),
          state: row.down_since === null ? "up" : row.down_since === row.created_at ? "making" : "down",
          downSince: isoOf(row.down_since),
          problems: problems(row),
          port: row.exit_port,
        })),
      };
    },
  };
}
