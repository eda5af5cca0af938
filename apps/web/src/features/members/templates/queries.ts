import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { TEMPLATES } from "./key.ts";

export type Template = Api["GET /admin/templates"]["answer"][number];
export type TemplateChange = Api["PUT /admin/templates/{id}"]["body"];
export type NewTemplate = Api["POST /admin/templates"]["body"];

export const templatesQuery = queryOptions({
  queryKey: [...TEMPLATES, "list"],
  queryFn: ({ signal }) => api("GET /admin/templates", { signal }),
});

/** All interfaces of the club. */
export const interfacesQuery = queryOptions({
  queryKey: [...TEMPLATES, "interfaces"],
  queryFn: ({ signal }) => api("GET /admin/servers/interfaces", { signal }),
});
