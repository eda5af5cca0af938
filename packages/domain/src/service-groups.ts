/** Groups of services, in the order in which members see them. */
export const SERVICE_GROUPS = {
  everything: { ru: "Весь трафик", en: "All traffic" },
  video: { ru: "Видео", en: "Video" },
  messengers: { ru: "Мессенджеры", en: "Messengers" },
  social: { ru: "Соцсети", en: "Social networks" },
  music: { ru: "Музыка", en: "Music" },
  ai: { ru: "Нейросети", en: "AI" },
  games: { ru: "Игры", en: "Games" },
  work: { ru: "Работа и учёба", en: "Work and study" },
  news: { ru: "Новости и книги", en: "News and books" },
  other: { ru: "Другое", en: "Other" },
} as const;

export type ServiceGroup = keyof typeof SERVICE_GROUPS;
export const GROUP_NAMES = Object.keys(SERVICE_GROUPS) as [ServiceGroup, ...ServiceGroup[]];

/** Characters of the sentence about a service. */
export const MOST_SENTENCE = 120;
/** More services than this can be searched. */
export const SEARCHED_FROM = 12;

/** One emoji, flag, letter or digit; empty: the name's first letter. */
export const SERVICE_PICTURE =
  /^(?:[\u{1F1E6}-\u{1F1FF}]{2}|\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?(?:\u200D\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)*|[\p{L}\p{N}]\p{M}?)?$/u;
export const MOST_PICTURE = 24;

/** What stands in front of a service's name. */
export function pictureOf({ name, picture }: { name: string; picture: string }): string {
  const [first = ""] = name;
  return picture === "" ? first.toUpperCase() : picture;
}

interface Described {
  name: string;
  description: string;
  group: ServiceGroup;
}

/** Services in the order of their groups, and in their own within each. */
export function inGroups<Service extends Pick<Described, "group">>(
  services: readonly Service[],
): { group: ServiceGroup; services: Service[] }[] {
  return GROUP_NAMES.map((group) => ({ group, services: services.filter((one) => one.group === group) })).filter(
    (one) => one.services.length > 0,
  );
}

/** Whether what somebody looks for names the service, its group or something in its sentence. */
export function isFoundBy({ name, description, group }: Described, words: string): boolean {
  const { ru, en } = SERVICE_GROUPS[group];
  const text = [name, description, ru, en].join("\n").toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
