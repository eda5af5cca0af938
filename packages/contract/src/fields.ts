import { MOST_PICTURE_BYTES } from "@krug/domain/picture-rules";
import { z } from "zod";

/** UUID of a row. */
export const Id = z.uuid();

/** ISO 8601 in UTC. */
export const Time = z.iso.datetime();

/** ISO 8601 with the club's offset: its first ten characters are the day as the club counts days. */
export const ClubMoment = z.iso.datetime({ offset: true });

/** ms since 1970. */
export const Milliseconds = z.int().nonnegative();

/** A flag on write: true, false, 0, 1, '0', '1' (decisions, section 13). */
export const Flag = z
  .union([z.boolean(), z.literal([0, 1]), z.enum(["0", "1"])])
  .transform((value) => value === true || value === 1 || value === "1");

/** A flag's twin in an answer. */
export const FlagNumber = z.literal([0, 1]);

/** On write: an ISO time, or YYYY-MM-DD, which means 23:59:59 of that day in the club's zone. */
export const TimeOrDay = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/** A picture that is sent along: the id that its upload answered, or a data URL in base64, of which the bytes tell what it is. */
export const SentPicture = z.string().max(Math.ceil(MOST_PICTURE_BYTES / 3) * 4 + 128);

/** The body of a call with this many pictures and some text (`bodyLimit`), bytes. */
export const bodyWithPictures = (count: number) => Math.ceil((MOST_PICTURE_BYTES * 4 * count) / 3) + 64 * 1024;

/** Without control characters, breaks of a line, halves of a character, and marks that turn around the order of what is read. */
const PLAIN = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u;

/** A text of one line that reads as it is, trimmed. */
export const line = (max: number, min = 1) => z.string().trim().min(min).max(max).regex(PLAIN);

/** Folds the specification's twin spellings into one; the camelCase name wins where both are sent. */
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

/** Where a page of a list ended that is ordered by a time: ms since 1970 and the row's id. The row may be gone since. */
export const MomentCursor = z.string().regex(/^\d{1,15}\.[0-9a-f-]{36}$/);

/** An admin who looks as a moderator does is answered as one: without VIP members. */
export const AsViewed = { as: z.literal("moderator").optional() };

/** Somebody named where only his name matters. */
export const Named = z.object({ id: Id, username: z.string(), displayName: z.string() });

/** The page of a list: at most 1,000 rows (decisions, section 13). */
export const Page = {
  limit: z.coerce.number().int().min(1).max(1000).default(200),
  cursor: z.string().max(200).optional(),
  q: z.string().trim().max(100).optional(),
};
