import type { StaffAction } from "@krug/domain/staff-actions";
import {
  type Icon,
  IconAdjustments,
  IconDatabaseExport,
  IconFilterPlus,
  IconNetwork,
  IconServer,
  IconTicket,
  IconTool,
  IconUserPlus,
} from "@tabler/icons-react";
import type { AdminSearch } from "../../lib/admin-search.ts";
import type { PaletteWords } from "./palette-words.ts";

/** What the palette can start: a dialog that an address opens. */
interface PlaceAction {
  title: keyof PaletteWords["act"];
  icon: Icon;
  /** The right that is needed to see it. */
  needs: StaffAction;
  /** Under /admin. */
  place: string;
  search: AdminSearch;
}

/** A new action is one entry. */
export const actions: readonly PlaceAction[] = [
  {
    title: "addMember",
    icon: IconUserPlus,
    needs: "members.change",
    place: "users",
    search: { add: "member" },
  },
  { title: "makeCode", icon: IconTicket, needs: "invites.create", place: "invites", search: { add: "code" } },
  { title: "addRule", icon: IconFilterPlus, needs: "rules.change", place: "rules", search: { add: "rule" } },
  { title: "addServer", icon: IconServer, needs: "servers.change", place: "servers", search: { add: "server" } },
  {
    title: "addInterface",
    icon: IconNetwork,
    needs: "interfaces.change",
    place: "interfaces",
    search: { add: "interface" },
  },
  {
    title: "addService",
    icon: IconAdjustments,
    needs: "catalog.change",
    place: "wireguard",
    search: { add: "service" },
  },
  { title: "addDns", icon: IconAdjustments, needs: "catalog.change", place: "wireguard", search: { add: "dns" } },
  {
    title: "maintenance",
    icon: IconTool,
    needs: "system.change",
    place: "system",
    search: { set: "maintenance" },
  },
  { title: "backup", icon: IconDatabaseExport, needs: "system.change", place: "system", search: { add: "backup" } },
];
