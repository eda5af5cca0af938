import { HOUR_MS } from "@krug/domain/moment";
import { seesVip } from "../../club/rights/index.ts";
import type { Act, StaffParts } from "./staff-parts.ts";

/** A message holds 4,096 characters. */
const MOST_NAMED = 40;
const AT_ONCE = 500;

/** What staff ask for by a command. */
export function makeStaffCommands(parts: StaffParts): Record<string, Act> {
  const { db, clock, clubTime, members, maintenance, payments } = parts;

  /** Members whose subscription ends today by the club's clock, as far as this reader sees them. */
  const endingToday = async (withVip: boolean): Promise<string[]> => {
    const from = clubTime.startOfDay(clock.now().getTime());
    const to = clubTime.startOfDay(from + 36 * HOUR_MS) - 1;
    const names: string[] = [];
    let after: { end: number; id: string } | null = null;
    for (;;) {
      const rows: Awaited<ReturnType<typeof members.endingBetween>> = await members.endingBetween(db, {
        from,
        to,
        after,
        limit: AT_ONCE,
      });
      const due = rows.filter((row) => row.is_active === 1 && row.is_unlimited !== 1).map(({ id }) => id);
      const seen = (await members.byIds(db, due)).filter((row) => withVip || row.is_vip !== 1);
      names.push(...seen.map((row) => `${row.display_name} (${row.username})`));
      const last = rows.at(-1);
      if (last === undefined || rows.length < AT_ONCE) return names.sort();
      after = { end: last.subscription_end, id: last.id };
    }
  };

  return {
    due: {
      needs: "payments.see",
      async run({ actor, say }) {
        const withVip = seesVip(actor);
        const names = await endingToday(withVip);
        const shown = names.slice(0, MOST_NAMED);
        const claims = await payments.claimsWaiting(withVip);
        return {
          text: [
            names.length === 0 ? say.nobodyDue : say.due(names.length),
            ...shown,
            ...(names.length > shown.length ? [say.andMore(names.length - shown.length)] : []),
            ...(claims > 0 ? ["", say.claims(claims)] : []),
          ].join("\n"),
        };
      },
    },
    maintenance: {
      needs: "system.change",
      hasOwnCode: true,
      async run({ say }, _, { ask }) {
        const isOn = await maintenance.isOn(db);
        await ask({ is: "maintenance", enabled: !isOn });
        return {
          text: isOn ? say.maintenanceOff : say.maintenanceOn,
          keyboard: [[{ text: say.cancel, callback_data: "staff-cancel" }]],
        };
      },
    },
  };
}
