import type { QuotaEnd } from "@krug/domain/quota-rules";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { openPage, screens } from "../testing/open-page.tsx";
import { type Panel, panel } from "../testing/panel.ts";
import { config, member, uuid, wgInterface } from "../testing/samples.ts";

screens();

const GB = 1024 ** 3;
const resetsAt = `${new Date().getFullYear()}-12-01T00:00:00.000+03:00`;
const quota = (used: number, atEnd: QuotaEnd = "cut") => ({
  bytes: 10 * GB,
  used: used * GB,
  atEnd,
  slowMbit: atEnd === "slow" ? 5 : null,
  resetsAt,
});
const limited = { quotaBytes: 10 * GB };
const cut = { ...limited, entitlement: { allowed: false, reason: "quota", until: resetsAt } } as const;

function open(says: Panel) {
  const club = panel({
    "GET /auth/me": member(limited),
    "GET /vpn/configs": [config()],
    "GET /vpn/available-interfaces": [wgInterface()],
    ...says,
  });
  return { ...club, ...openPage("/dashboard") };
}

test("a member sees how much of the month's traffic is used and when it resets", async () => {
  open({ "GET /vpn/quota": quota(2.5) });
  const bar = await screen.findByRole("progressbar", { name: "Трафик за месяц" });
  expect(bar.closest("p")?.textContent?.replace(/\s/g, " ")).toBe("Трафик: 2,5 GB из 10,0 GB, обновится 1 декабря");
  expect(bar.getAttribute("data-stage")).toBeNull();
});

test("a member with a speed limit sees it", async () => {
  open({ "GET /auth/me": member({ speedMbit: 20 }) });
  await screen.findByText(/^До\s20\sМбит\/с на\sвсе устройства вместе$/);
});

test("once a quota that slows down is used up, the line says until when, how fast, and whom to ask, instead of the own limit", async () => {
  const { user } = open({
    "GET /auth/me": member({ ...limited, speedMbit: 20 }),
    "GET /vpn/quota": quota(10.2, "slow"),
  });
  await screen.findByText(/^До\s1\sдекабря медленно: 5\sМбит\/с$/);
  expect(screen.queryByText(/20\sМбит/)).toBeNull();
  await user.click(screen.getByRole("button", { name: "Как получить больше" }));
  await waitFor(() => expect(screen.getByDisplayValue(/закончился трафик на\sэтот месяц/)).toBeTruthy());
});

test("near the end the bar says so", async () => {
  open({ "GET /vpn/quota": quota(8) });
  expect((await screen.findByRole("progressbar")).getAttribute("data-stage")).toBe("nearly");
});

test("no quota is requested for a member without one or with an unlimited subscription", async () => {
  const { asked } = open({ "GET /auth/me": member({ ...limited, isUnlimited: true }) });
  await screen.findByRole("article", { name: "iphone-marina" });
  expect(screen.queryByRole("progressbar")).toBeNull();
  expect(asked("GET /vpn/quota")).toEqual([]);
});

test("once it is used up the page says why the VPN is off, when it is back and whom to ask, and asks for no payment", async () => {
  const { user } = open({
    "GET /auth/me": member(cut),
    "GET /vpn/quota": quota(10.2),
    "GET /vpn/configs": [config({ state: "off" })],
  });
  expect(await screen.findByText("Трафик на этот месяц израсходован")).toBeTruthy();
  expect(screen.getByText(/VPN\sвключится сам\s1\sдекабря/)).toBeTruthy();
  // The subscription itself continues.
  expect(screen.getByText(/^Подписка до/)).toBeTruthy();
  const card = within(screen.getByRole("article", { name: "iphone-marina" }));
  expect(card.getByText("Отключён: трафик израсходован")).toBeTruthy();
  expect(screen.queryByText(/истекла подписка/)).toBeNull();
  expect(screen.queryByRole("button", { name: "Создать конфиг" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Как получить больше" }));
  await waitFor(() => expect(screen.getByDisplayValue(/закончился трафик на\sэтот месяц/)).toBeTruthy());
});

test.each([
  ["quota_nearly", "cut", "Израсходовано больше 80 % трафика", /VPN отключится до\s1\sдекабря/],
  ["quota_nearly", "tell", "Израсходовано больше 80 % трафика", /Счёт начнётся заново 1\sдекабря/],
  ["quota_used_up", "cut", "Трафик на этот месяц израсходован", /VPN отключён и\sвключится сам 1\sдекабря/],
  ["quota_nearly", "slow", "Израсходовано больше 80 % трафика", /до\s1\sдекабря скорость будет 5\sМбит\/с/],
  ["quota_used_up", "slow", "Трафик на этот месяц израсходован", /До\s1\sдекабря медленно: 5\sМбит\/с/],
  ["quota_used_up", "tell", "Трафик на этот месяц израсходован", /VPN продолжает работать/],
] as const)("a notice tells %s, %s", async (kind, atEnd, title, more) => {
  const { user } = open({
    "GET /vpn/quota": quota(8, atEnd),
    "GET /inbox/unread": { unread: 1 },
    "GET /inbox": [
      {
        id: uuid(90),
        kind,
        params: { bytes: 10 * GB, atEnd, ...(atEnd === "slow" ? { slowMbit: 5 } : {}), resetsAt },
        createdAt: new Date().toISOString(),
        readAt: null,
      },
    ],
    "POST /inbox/read": { unread: 0 },
  });
  await user.click(await screen.findByRole("button", { name: /^Уведомления/ }));
  const sheet = within(await screen.findByRole("dialog", { name: "Уведомления" }));
  expect(await sheet.findByText(title)).toBeTruthy();
  expect(sheet.getByText(more)).toBeTruthy();
});
