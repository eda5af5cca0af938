import type { Page } from "playwright-core";
import { read, say } from "./answers.ts";

/** The panel of these screens has an address without a name, where passkeys do not work: shows the page as under a name. */
export const underAName = (page: Page) => page.evaluate("delete document.documentElement.dataset.passkeys");

const PHONE = {
  id: "0f7c1c1e-54a5-4b7a-9a3e-2b1f6f0c9d31",
  name: "Chrome, Android",
  createdAt: "2026-11-03T10:00:00Z",
};

/** The member's passkeys: one that works here, and one of another address of the club. */
export async function somePasskeys(page: Page, host: string) {
  const passkeys = [
    { ...PHONE, host, lastUsedAt: new Date(Date.now() - 3_600_000).toISOString() },
    {
      ...PHONE,
      id: "0f7c1c1e-54a5-4b7a-9a3e-2b1f6f0c9d32",
      name: "Рабочий ноутбук, ключ YubiKey с длинным названием",
      host: "mirror.club.example",
      lastUsedAt: null,
    },
  ];
  await say(page, "GET /passkeys", { host, passkeys });
}

/** Staff's file of a member who has two. */
export async function memberWithPasskeys(page: Page, username: string) {
  const file = await read(page, "GET /admin/users/{id}", { params: { id: username } });
  await say(page, "GET /admin/users/{id}", { ...file, passkeyCount: 2 });
}
