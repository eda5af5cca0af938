import { contract } from "@krug/contract/api";
import type { EndpointSpec } from "@krug/contract/endpoint";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens as screenTests } from "../../testing/open-page.tsx";
import type { Heard } from "../../testing/panel.ts";
import { enter } from "../../testing/staff.ts";
import { screens } from "./screens.ts";

screenTests();

const NAMES = [
  ["q", "sort", "order", "after", "page", "hide", "state", "status", "filter", "ends", "role", "devices", "interface"],
  ["server", "by", "action", "period", "span", "from", "to", "list", "section", "show", "hands", "with", "ticket"],
].flat();
/** Addresses are typed, truncated and stored for years. */
const NONSENSE = ["abc", "-1", "99999999", "2026-02-30", "a".repeat(300)];

const endpoints: readonly EndpointSpec[] = Object.values(contract).flatMap((calls) => Object.values(calls));
const queryOf = (key: Heard["key"]) => endpoints.find(({ method, path }) => `${method} ${path}` === key)?.query;

test.each(screens.flatMap(({ path }) => NONSENSE.map((said) => [path, said.slice(0, 12), said] as const)))(
  "/admin/%s asks the panel only what its contract can read, even if the address has '%s'",
  async (path, _, said) => {
    const nonsense = NAMES.map((name) => `${name}=${said}`).join("&");
    const { heard } = await enter(`/admin/${path}?${nonsense}`);
    await screen.findByRole("heading", { level: 1 });
    const unread = heard.flatMap(({ key, query }) => {
      const read = queryOf(key)?.safeParse(Object.fromEntries(query));
      return read?.success === false ? [`${key}?${query}: ${read.error.message}`] : [];
    });
    // A cursor is the panel's own value: it refuses one that it did not write, and the list continues without it.
    expect(unread).toEqual([]);
  },
);
