import type { Api } from "@krug/contract/api";
import { query } from "../../../lib/query.ts";
import { TEMPLATES } from "./key.ts";

export type Template = Api["GET /admin/templates"]["answer"][number];
export type TemplateChange = Api["PUT /admin/templates/{id}"]["body"];
export type NewTemplate = Api["POST /admin/templates"]["body"];

export const templatesQuery = query([...TEMPLATES, "list"], "GET /admin/templates");

/** All interfaces of the club. */
export const interfacesQuery = query([...TEMPLATES, "interfaces"], "GET /admin/servers/interfaces");
