import { counter } from "@krug/domain/plural";
import type { moving as words } from "./moving-words-ru.ts";

const files = counter("en", { one: "file", other: "files" });

export const moving: typeof words = {
  lead: "If there are many files, choose all of them at once: with PiVPN and scripts the devices' files together with wg0.conf, with WGDashboard its wgdashboard.db, with wireguard-ui its whole folder db. They tell the panel names, keys, and who is switched off.",
  files,
  traffic: (received, sent) => `In the other program: ${received} sent, ${sent} received. This count is not imported.`,
  invite: "Make a new member",
  inviteAll: "Make members of all others",
  notInvite: "Make no member",
  username: "New member's login",
  usernameHint: "Devices with the same login are one person's.",
  usernameWrong: "3 to 32 characters: Latin letters, digits, hyphen and underscore",
  until: "New members' subscription until",
  untilHint: "Empty: they have no subscription, and their devices are cut off at once.",
};
