import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/* Changes for which docs/developing.md names the places: each test takes one past change as its example. */

const ROOT = join(import.meta.dirname, "..", "..", "..");
const SOURCE = /^(?!.*\.test\.tsx?$).*\.tsx?$/;
/** Where changes are made: no tests, sample data or generated files. */
const sources = ["packages/contract/src", "packages/domain/src", "apps/server/src", "apps/web/src"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => SOURCE.test(name) && !/^(dev|testing)\//.test(name))
    .map((name) => [`${folder}/${name}`, readFileSync(join(ROOT, folder, name), "utf8")] as const),
);
const filesWith = (text: RegExp) => sources.flatMap(([path, content]) => (text.test(content) ? [path] : [])).toSorted();

test("a notice is made in three files: its entry, its sender, and the event that causes it", () => {
  expect(filesWith(/\bwebhook_off\b/)).toEqual([
    "apps/server/src/features/messages/inbox/tell-staff.ts",
    "packages/domain/src/notices/servers.ts",
  ]);
  expect(filesWith(/ webhookSwitchedOff = /)).toEqual(["apps/server/src/features/messages/webhooks/events.ts"]);
});

test("another length of the trial is one number: no text has it in words", () => {
  const texts =
    /проб[^"`\n]{0,30}(3|три) (пробных )?дн|(3|три) дн[^"`\n]{0,20}проб|trial of (3|three)|(3|three) days from reg/i;
  expect(filesWith(texts)).toEqual([]);
  expect(filesWith(/\bTRIAL_DAYS = /)).toEqual(["packages/domain/src/invite-rules.ts"]);
});

test("a right is made in three files: its row, the call that needs it, and the screen that offers the call", () => {
  expect(filesWith(/"telegram\.notify"/)).toEqual([
    "apps/web/src/features/members/users/use-member-actions.tsx",
    "packages/contract/src/messages/inbox.ts",
    "packages/domain/src/staff-actions.ts",
  ]);
});

test("a field of a member is described in one file; others have only its form and its rule", () => {
  const ofMembers = /^(packages\/contract|apps\/server|packages\/domain)\/src\/(?!.*(templates?|settings))/;
  expect(filesWith(/\b(is_vip|isVip)\b/).filter((path) => /^packages\/(contract|domain)\//.test(path))).toEqual([
    "packages/domain/src/fields/member.ts",
  ]);
  expect(filesWith(/\b(quotaAtEnd|quota_at_end)\b/).filter((path) => ofMembers.test(path))).toEqual([
    // What a newcomer gets, and what the audit shows.
    "apps/server/src/features/members/members/add-members.ts",
    // What a template gives many.
    "apps/server/src/features/members/members/change-many.ts",
    // A quota counts at once.
    "apps/server/src/features/members/members/change-member.ts",
    "apps/server/src/features/members/members/data-export.ts",
    "apps/server/src/features/members/members/new-member.ts",
    "apps/server/src/features/members/members/quota.ts",
    // And may slow down.
    "apps/server/src/features/members/members/standing.ts",
    "packages/domain/src/fields/member.ts",
  ]);
});

test("nothing else compares a role with admins' or moderators', so a right moves by its row", () => {
  expect(filesWith(/role [!=]== "(admin|moderator)"/i)).toEqual(
    [
      // Viewing as a moderator, which admins can.
      "apps/web/src/app/admin/admin-area.tsx",
      "apps/web/src/app/admin/sections.tsx",
      "apps/web/src/app/admin/use-own-actions.ts",
      "apps/web/src/features/club/staff/frame.tsx",
      "apps/web/src/features/club/staff/screen.tsx",
      "apps/web/src/features/club/staff/use-may.ts",
      // The last admin stays.
      "apps/server/src/features/members/members/change-member.ts",
      // Whom to ask about an empty club, and who is notified.
      "packages/domain/src/next-step.ts",
      "packages/domain/src/notices.ts",
      "packages/domain/src/staff-actions.ts",
    ].toSorted(),
  );
});
