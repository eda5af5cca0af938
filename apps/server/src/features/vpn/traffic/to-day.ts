import type { DayOfTrafficAnswer } from "@krug/contract/vpn/traffic";
import type { TrafficTables } from "./table.ts";

/** As the device sees it: the server's tx is what the device received (decisions, section 6). */
export const toDay = ({ day, rx, tx }: TrafficTables["traffic_daily"]): DayOfTrafficAnswer => ({
  day,
  received: tx,
  sent: rx,
});
