import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { openPage, screens } from "../testing/open-page.tsx";
import { panel } from "../testing/panel.ts";
import { config, member, wgInterface } from "../testing/samples.ts";

screens();

const HOUR_MS = 3_600_000;
/** How far the device's clock is behind the club's. */
const WRONG = [-24 * HOUR_MS, -HOUR_MS / 12, HOUR_MS / 12, 24 * HOUR_MS];

test.each(WRONG)("a device seen 4 h ago was seen 4 h ago, whatever the phone's clock shows: %d ms", async (aheadMs) => {
  const club = Date.now() + aheadMs;
  const stats = { lastHandshake: club - 4 * HOUR_MS - 60_000, dataReceived: 1, dataSent: 1 };
  panel(
    {
      "GET /auth/me": member(),
      "GET /vpn/configs": [config({ stats })],
      "GET /vpn/available-interfaces": [wgInterface()],
    },
    { aheadMs },
  );
  openPage("/dashboard");
  const card = within(await screen.findByRole("article", { name: "iphone-marina" }));
  expect(await card.findByText("Был на связи 4 часа назад")).toBeTruthy();
  expect(screen.getByRole("button", { name: /^Обновить список.* только что$/ })).toBeTruthy();
});

test.each(WRONG)("a one-minute ban shows a minute, whatever the phone's clock shows: %d ms", async (aheadMs) => {
  panel({ "GET /auth/invite-attempts": { count: 5, bannedUntil: Date.now() + aheadMs + 60_000 } }, { aheadMs });
  openPage("/register");
  const said = (await screen.findByRole("timer")).textContent ?? "";
  const seconds = Number(/^Попробуйте через (\d+)\sсекунд[уы]?$/.exec(said)?.[1]);
  expect(seconds).toBeGreaterThan(30);
  expect(seconds).toBeLessThanOrEqual(60);
});

test.each(WRONG)(
  "a live code is shown with its remaining time, whatever the phone's clock shows: %d ms",
  async (aheadMs) => {
    const expiresAt = new Date(Date.now() + aheadMs + 2 * HOUR_MS).toISOString();
    panel(
      {
        "GET /auth/me": member(),
        "GET /vpn/configs": [],
        "GET /vpn/available-interfaces": [],
        "GET /users/{id}/active-invite": { code: "K7MPHW", expiresAt },
        "GET /users/{id}/invited": [],
      },
      { aheadMs },
    );
    const { user } = openPage("/dashboard");
    await user.click(await screen.findByRole("button", { name: "Пригласить друзей" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Пригласить друга" }));
    await waitFor(() => expect(dialog.getByRole("timer").textContent).toMatch(/^действует ещё (02:00:00|01:59:\d\d)$/));
    expect(dialog.getByText("K 7 M P H W")).toBeTruthy();
  },
);
