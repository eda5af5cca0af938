import { screen } from "@testing-library/react";
import type { Panel } from "./panel.ts";
import { admin, enter, listed } from "./staff.ts";

export const anna = listed(1, { displayName: "Анна", username: "anna", vpnConfigLimit: 3, configCount: 2 });
export const boris = listed(2, { displayName: "Борис", username: "boris" });
export const counts = { all: 312, active: 297, blocked: 15 };

export const openUsers = async (says: Panel = {}, address = "/admin/users", me = admin) => {
  const page = await enter(address, { "GET /users": [anna, boris], "GET /admin/users/counts": counts, ...says }, me);
  const last = (key: Parameters<typeof page.asked>[0]) => page.asked(key).at(-1);
  return { ...page, last };
};
export const chooseFromMenu = async (
  user: Awaited<ReturnType<typeof openUsers>>["user"],
  name: string,
  item: string,
) => {
  await user.click(await screen.findByRole("button", { name: `Действия: ${name}` }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
};
