import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { query } from "../../../lib/query.ts";
import { noteMaintenance } from "../../access/maintenance/index.ts";

export type SystemState = Api["GET /admin/system"]["answer"];
export type ClubSettings = Api["GET /admin/settings"]["answer"];
export type GateSettings = Api["GET /admin/security"]["answer"];
export type OutboxState = Api["GET /admin/outbox"]["answer"];
export type BotState = Api["GET /admin/telegram"]["answer"];

/** Whether the club is under maintenance and since when. The browser's stored value follows. */
export const maintenanceStateQuery = queryOptions({
  queryKey: ["system", "maintenance"],
  queryFn: async ({ signal, client }) => {
    const state = await api("GET /maintenance", { signal });
    noteMaintenance(client, state.enabled);
    return state;
  },
});

export const settingsQuery = query(["settings", "club"], "GET /admin/settings");

export const gateSettingsQuery = query(["settings", "gate"], "GET /admin/security");

export const botQuery = query(["settings", "bot"], "GET /admin/telegram");

export const outboxQuery = query(["system", "outbox"], "GET /admin/outbox");
