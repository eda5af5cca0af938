import { screen } from "@testing-library/react";
import type { ListedMember, MemberFile } from "../features/members/users/queries.ts";
import { menuCode } from "../ui/menu-button.tsx";
import { openPage } from "./open-page.tsx";
import { type Panel, panel } from "./panel.ts";
import { member, uuid } from "./samples.ts";

/** A member as in staff's list; a test names only what it is about. */
export function listed(n: number, about: Partial<ListedMember> = {}): ListedMember {
  return {
    ...member({ id: uuid(500 + n), username: `member_${n}`, displayName: `Участник ${n}` }),
    configCount: 1,
    lastHandshake: null,
    monthBytes: 0,
    noteCount: 0,
    groups: [],
    ...about,
  };
}

/** What staff see of a member on the member's own page. */
export function fileOf(member: ListedMember, about: Partial<MemberFile> = {}): MemberFile {
  return {
    member,
    quota: null,
    invitedBy: null,
    joinedBy: "added",
    template: null,
    hasPassword: true,
    twoFactorEnabled: false,
    passkeyCount: 0,
    sessions: [],
    history: [],
    ...about,
  };
}

export const admin = member({ id: uuid(1), username: "chief", displayName: "Глава", role: "admin" });
export const moderator = member({ id: uuid(2), username: "helper", displayName: "Помощник", role: "moderator" });

export const twoFactorOn = {
  enabled: true,
  secret: null,
  uri: null,
  elevated: false,
  retryAfter: 0,
  recoveryCodesLeft: 10,
  byPasskey: false,
};

/** Types a code into the boxes of the dialog that asks for one. */
export async function typeCode(user: ReturnType<typeof openPage>["user"], code = "123456") {
  await user.click(await screen.findByLabelText("Цифра 1 из 6"));
  await user.keyboard(code);
}

/** Opens a page of the administration area and passes the two-factor check. */
export async function enter(address: string, says: Panel = {}, me = admin) {
  const club = panel({
    "GET /auth/me": me,
    "GET /totp/{id}/status": twoFactorOn,
    "POST /totp/{id}/verify": { valid: true, retryAfter: 0, token: "next" },
    "GET /users": [],
    "GET /admin/users/counts": { all: 0, active: 0, blocked: 0 },
    ...says,
  });
  await menuCode.load(); // as after the first idle moment
  const page = openPage(address);
  await typeCode(page.user);
  return { ...club, ...page };
}
