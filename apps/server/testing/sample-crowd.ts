import type { MemberRow } from "../src/features/members/members/index.ts";

const DAY_MS = 86_400_000;

interface Face {
  username: string;
  name: string;
  /** Days until the subscription ends; null: unlimited. */
  endsIn: number | null;
  /** On how many of the last days the device was in use, and roughly how many megabytes a day; none: no device. */
  use?: { usedDays: number; megabytes: number };
  about?: Partial<MemberRow>;
}

/** The rest of the sample club: enough members for staff's list to look like a real one. */
const faces: Face[] = [
  { username: "anton_k", name: "Антон Королёв", endsIn: 43, use: { usedDays: 320, megabytes: 910 } },
  { username: "oleg_s", name: "Олег Самарин", endsIn: 24, use: { usedDays: 210, megabytes: 760 } },
  { username: "dch", name: "Дмитрий Черных", endsIn: null, use: { usedDays: 140, megabytes: 540 } },
  {
    username: "svetlana_p",
    name: "Светлана Подгорная-Черкасова",
    endsIn: null,
    use: { usedDays: 26, megabytes: 420 },
    about: { is_vip: 1 },
  },
  { username: "kate_r", name: "Екатерина Руднева", endsIn: 5, use: { usedDays: 19, megabytes: 80 } },
  { username: "igor_zh", name: "Игорь Жданов", endsIn: 2 },
  {
    username: "lev-b",
    name: "Лев Беляев",
    endsIn: 10,
    use: { usedDays: 12, megabytes: 150 },
    about: { is_active: 0 },
  },
  { username: "nina", name: "Нина Островская", endsIn: 61, use: { usedDays: 22, megabytes: 310 } },
  { username: "p.t", name: "Павел Тихонов", endsIn: -11 },
  { username: "alina-m", name: "Алина Мельник", endsIn: 18, use: { usedDays: 30, megabytes: 260 } },
  { username: "gleb", name: "Глеб Шувалов", endsIn: 33, use: { usedDays: 8, megabytes: 1_100 } },
  { username: "zoya_v", name: "Зоя Ветрова", endsIn: -40, about: { is_active: 0 } },
];

/** A row by name, with its joining date: one after another over the last months. */
export const crowd = (now: number) =>
  faces.map(({ username, name, endsIn, use, about }, place) => ({
    username: username.replace(/[^\w-]/g, "_"),
    use,
    /** Peers exist only for members who may have a device. */
    isBlockedLater: about?.is_active === 0,
    row: {
      display_name: name,
      created_at: now - Math.max(20 + 11 * place, (use?.usedDays ?? 0) + 20) * DAY_MS,
      is_unlimited: endsIn === null ? 1 : 0,
      config_limit: endsIn === null ? -1 : 3,
      subscription_end: endsIn === null ? null : now + endsIn * DAY_MS,
      subscription_source: endsIn === null ? null : "payment",
      ...about,
      is_active: 1,
    } satisfies Partial<MemberRow>,
  }));
