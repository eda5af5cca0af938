import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Flag, Id, Time, twins } from "../fields.ts";
import { Username } from "../members/members.ts";

/** Beyond the specifications: for someone who has lost their phone, and with it perhaps the VPN and the password (ADR 118). */
export const lostDevices = {
  report: endpoint("POST /auth/lost-device", {
    access: "public",
    summary:
      "Report that a member's device is lost. The answer is the same for every username; nothing is disconnected before the member confirms it in Telegram, or staff do",
    body: z.strictObject({
      username: Username,
      /** Telegram is lost too: staff are asked. They are asked anyway if no Telegram is linked. */
      withoutMessenger: Flag.default(false),
    }),
    refusals: ["request.too_many", "maintenance.on", "security.region", "security.vpn", "security.unmet"],
  }),
  cut: endpoint("POST /admin/support/tickets/{id}/lost-device", {
    needs: "members.send_password_link",
    trust: true,
    summary:
      "Confirm a device that was reported lost: its key is replaced, the member's sessions end, and a one-time link hands the new file over; moderators need the right to send password links",
    body: twins(z.strictObject({ configId: Id }), { config_id: "configId" }),
    /** null while no file can be written for the device. */
    answer: z.object({ link: z.url().nullable(), expiresAt: Time.nullable() }),
    creation: true,
    refusals: [
      "auth.forbidden",
      "support.ticket_not_found",
      "support.ticket_closed",
      "config.not_found",
      "config.owner_blocked",
      "config.key_taken",
    ],
  }),
};
