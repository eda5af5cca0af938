import type { Contract } from "@krug/contract/api";
import { whyOf } from "@krug/contract/reasons";
import { isoOf } from "@krug/domain/moment";
import type { Db } from "../../../platform/database/database.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Servers } from "../servers/index.ts";
import type { Exits } from "./index.ts";
import { linkNow } from "./link-state.ts";
import type { LinkRow } from "./table.ts";

interface Parts {
  db: Db;
  servers: Pick<Servers, "workable">;
  exits: Pick<Exits, "all" | "missing" | "now">;
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
      const ends = (entryId: string, exitId: string) => ({
        entryId,
        entryName: name(entryId),
        exitId,
        exitName: name(exitId),
      });
      return {
        servers: (await servers.workable(db))
          .filter(({ endpoint, default_endpoint }) => (endpoint ?? default_endpoint) !== null)
          .map(({ id, name }) => ({ id, name })),
        links: [
          ...(await exits.all(db)).map((row) => {
            const { state, since } = linkNow(row);
            return {
              ...ends(row.entry_id, row.exit_id),
              state,
              downSince: isoOf(since),
              problems: problems(row),
              port: row.exit_port,
            };
          }),
          ...(await exits.missing(db)).map(({ entry, exit, lacks }) => ({
            ...ends(entry.id, exit.id),
            state: "missing" as const,
            downSince: null,
            problems: lacks === null ? [] : [{ server: exit.name, why: whyOf(lacks) }],
            port: null,
          })),
        ],
      };
    },
  };
}
