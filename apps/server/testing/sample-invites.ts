import type { App } from "../src/app.ts";
import { update } from "../src/features/access/invites/repository.ts";
import { update as updateMember } from "../src/features/members/members/repository.ts";

const DAY_MS = 86_400_000;

type Post = (url: string, payload: object) => Promise<{ id: string }>;

const GIB = 1024 ** 3;

const templates: { name: string; configLimit: number; quotaBytes: number | null; services: string[] }[] = [
  { name: "Мобильный", configLimit: 1, quotaBytes: 30 * GIB, services: [] },
  { name: "Семья", configLimit: 6, quotaBytes: null, services: ["Весь трафик"] },
];

/** Staff codes in each state, and the members who joined by them. */
const codes: {
  terms: (day: (from: number) => string) => object;
  /** Days ago. */
  madeAgo: number;
  joined?: string[];
  /** Days ago, if it has ended. */
  expiredAgo?: number;
  /** Its name. */
  template?: string;
  deactivated?: true;
}[] = [
  { madeAgo: 80, terms: () => ({ maxUses: 1, subscriptionDays: 30 }), joined: ["alina-m"] },
  { madeAgo: 64, terms: () => ({ maxUses: -1 }), joined: ["gleb", "p_t"], deactivated: true },
  {
    madeAgo: 40,
    terms: (day) => ({ maxUses: 10, subscriptionDays: 14, expiresAt: day(5) }),
    joined: ["igor_zh"],
    expiredAgo: 9,
  },
  {
    madeAgo: 12,
    terms: (day) => ({ maxUses: 20, subscriptionEndDate: day(40) }),
    joined: ["nina", "kate_r", "oleg_s"],
  },
  { madeAgo: 5, terms: (day) => ({ maxUses: 5, subscriptionDays: 30, expiresAt: day(16) }), template: "Семья" },
  { madeAgo: 0, terms: () => ({ maxUses: 1 }) },
];

export async function seedInvites(
  app: App,
  sendAsAdmin: (url: string, payload: object, method: "POST" | "PUT") => ReturnType<Post>,
): Promise<void> {
  const { db, transact, clock, clubTime, members, interfaces, catalog } = app.parts;
  const now = clock.now().getTime();
  const ids = (await interfaces.all(db)).map(({ id }) => id);
  if (ids.length === 0) return;
  const day = (from: number) => clubTime.dayOf(now + from * DAY_MS);
  const services = await catalog.services(db);
  const templateIds = new Map<string, string>();
  for (const { services: chosen, ...terms } of templates) {
    const wish = {
      ...terms,
      services: services.filter(({ name }) => chosen.includes(name)).map(({ id }) => id),
      interfaceId: ids[0],
      quotaAtEnd: "cut",
      isDefault: false,
    };
    templateIds.set(terms.name, (await sendAsAdmin("/api/admin/templates", wish, "POST")).id);
  }
  for (const { terms, madeAgo, joined = [], expiredAgo, deactivated, template = "" } of codes) {
    const wish = { interfaces: ids, templateId: templateIds.get(template), ...terms(day) };
    const { id } = await sendAsAdmin("/api/admin/invite-codes", wish, "POST");
    if (deactivated) await sendAsAdmin(`/api/admin/invite-codes/${id}/deactivate`, {}, "PUT");
    const rows = await Promise.all(joined.map((username) => members.findByUsername(db, username)));
    const maker = (await members.findByUsername(db, "admin"))?.id ?? null;
    await transact(async (tx) => {
      await update(tx, id, {
        created_at: now - madeAgo * DAY_MS,
        current_uses: joined.length,
        ...(expiredAgo === undefined ? {} : { expires_at: now - expiredAgo * DAY_MS }),
      });
      for (const row of rows) if (row) await updateMember(tx, row.id, { invite_code_id: id, invited_by: maker });
    });
  }
}
