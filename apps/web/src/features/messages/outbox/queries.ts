import type { Api } from "@krug/contract/api";
import { query } from "../../../lib/query.ts";

export type Choices = Api["GET /inbox/choices"]["answer"];

export const choicesQuery = query(["notice-choices"], "GET /inbox/choices");
