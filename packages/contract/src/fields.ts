import { MOST_PICTURE_BYTES } from "@krug/domain/picture-rules";
import { z } from "zod";

/** UUID of a row. */
export const Id = z.uuid();

/** ISO 8601 in UTC. */
export const Time = z.iso.datetime();

/** ISO 8601 with the club's offset: the first ten characters are the day on the club's calendar. */
export const ClubMoment = z.iso.datetime({ offset: true });

/** ms since 1970. */
export const Milliseconds = z.int().nonnegative();

/** A flag on write: true, false, 0, 1, '0', '1' (decisions, section 13). */
export const Flag = z
  .union([z.boolean(), z.literal([0, 1]), z.enum(["0", "1"])])
  .transform((value) => value === true || value === 1 || value === "1");

/** The flag's twin in an answer. */
export const FlagNumber = z.literal([0, 1]);

/** On write: an ISO time, or YYYY-MM-DD, which means 23:59:59 of that day in the club's zone. */
export const TimeOrDay = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/** A picture in a request: the id its upload returned, or a base64 data URL. The bytes decide its type. */
export const SentPicture = z.string().max(Math.ceil(MOST_PICTURE_BYTES / 3) * 4 + 128);

/** The body limit of a call with this many pictures and some text (`bodyLimit`), bytes. */
export const bodyWithPictures = (count: number) => Math.ceil((MOST_PICTURE_BYTES * 4 * count) / 3) + 64 * 1024;

/** No control characters, line breaks, lone surrogates, or marks that change the reading direction. */
const PLAIN = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u;

/** One line of text that displays exactly as stored, trimmed. */
export const line = (max: number, min = 1) => z.string().trim().min(min).max(max).regex(PLAIN);

/** Several lines of text that display exactly as stored, trimmed. */
export const lines = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^(?:[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]|\n)*$/u);

/** Folds the specification's twin spellings into one; the camelCase name wins if both are sent. */
export function twins<Schema extends z.ZodObject>(
  schema: Schema,
  spellings: Readonly<Record<string, keyof Schema["shape"]>>,
) {
  return z.preprocess((input: unknown): unknown => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
    const folded: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(input)) {
      const canonical = Object.hasOwn(spellings, name) ? String(spellings[name]) : name;
      if (canonical === name || !Object.hasOwn(input, canonical)) folded[canonical] = value;
    }
    return folded;
  }, schema) as unknown as z.ZodType<z.output<Schema>, z.input<Schema>>;
}

/** Set by an admin who views as a moderator: VIP members are left out of the answer. */
export const AsViewed = { as: z.literal("moderator").optional() };

/** A person shown by name only. */
export const Named = z.object({ id: Id, username: z.string(), displayName: z.string() });

/** A group of members as rows of members name it. */
export const NamedGroup = z.object({ id: Id, name: z.string() });

/** A page of a list: at most 1,000 rows (decisions, section 13). */
export const Page = {
  limit: z.coerce.number().int().min(1).max(1000).default(200),
  cursor: z.string().max(200).optional(),
  q: z.string().trim().max(100).optional(),
};

/** A page of a list that can also be entered in the middle. */
export const TablePage = {
  ...Page,
  /** How many rows to skip between the cursor, or the start, and the page. */
  skip: z.coerce.number().int().min(0).max(1_000_000).default(0),
  /** How many rows the last page may have above `limit`, so that no page is left with only those. */
  spare: z.coerce.number().int().min(0).max(20).default(0),
};

/** 1 PB: more than anyone uses in a month. */
export const QuotaBytes = z
  .int()
  .min(1)
  .max(2 ** 50);

/** What an admin writes to members: several lines, without control characters. */
export const StaffMessage = z
  .string()
  .trim()
  .min(1)
  .max(1000)
  .regex(/^(\P{Cc}|[\n\t])*$/u);
