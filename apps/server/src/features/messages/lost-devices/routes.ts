import type { Contract } from "@krug/contract/api";
import { isStaff } from "@krug/domain/roles";
import { may } from "@krug/domain/staff-actions";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { SecurityGate } from "../../access/security-gate/index.ts";
import { isHidden } from "../../club/rights/index.ts";
import { type Members, promisedRole } from "../../members/members/index.ts";
import type { Support } from "../support/index.ts";
import type { LostDevices } from "./index.ts";

/** Time for the server to cut the old key before the answer. */
const APPLY_WAIT_MS = 3_000;

interface Parts extends Platform {
  members: Members;
  securityGate: Pick<SecurityGate, "refuseDenied">;
  support: Pick<Support, "findTicket" | "lockTicket">;
  lostDevices: LostDevices;
}

export function makeLostDeviceRoutes(parts: Parts): Handlers<Contract["lostDevices"]> {
  const { transact, jobs, members, securityGate, support, lostDevices } = parts;
  return {
    async report({ body, address, language }) {
      await securityGate.refuseDenied(address);
      const { username, withoutMessenger } = body;
      await lostDevices.report(username.trim(), { address, language, withoutMessenger });
    },

    async cut({ actor, params, body, origin }) {
      const { jobIds, ...made } = await transact(async (tx) => {
        // The member first, as in every change of configs.
        const found = await support.findTicket(tx, params.id);
        const member = found && (await members.lock(tx, found.member_id));
        const ticket = member && (await support.lockTicket(tx, params.id));
        if (!ticket || isHidden(actor, member) || ticket.lost_device === null) refuse("support.ticket_not_found");
        // As with a password link: it gives access.
        if (isStaff(promisedRole(member)) && !may(actor.role, "members.change")) refuse("auth.forbidden");
        if (ticket.status === "closed") refuse("support.ticket_closed");
        if (member.is_active !== 1) refuse("config.owner_blocked");
        return lostDevices.cutByStaff(tx, actor, member, { ticketId: ticket.id, configId: body.configId, origin });
      });
      await jobs.settled(jobIds, APPLY_WAIT_MS);
      return made;
    },
  };
}
