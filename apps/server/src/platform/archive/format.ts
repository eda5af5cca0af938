import { z } from "zod";

/**
 * A backup is an age file of gzip of JSON lines: a header; for each table its name and columns, then one line per row; at the end
 * the number of rows, the SHA-256 of all lines before and the club's signature of that. `age -d FILE | zcat` shows it.
 */
export const FORMAT = 2;
/** From before backups were signed. */
const UNSIGNED = 1;

/** What the backup contains besides the database. */
export const Identity = z.object({
  /** Of the panel that made it. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  engine: z.enum(["sqlite", "postgres"]),
  panelId: z.string().regex(/^[\w-]{1,100}$/),
  /** Lines of the master key's file. */
  masterKeys: z.array(z.base64()).min(1).max(10),
});
export type Identity = z.output<typeof Identity>;

export const Header = Identity.extend({
  krug: z.literal("backup"),
  format: z.literal([UNSIGNED, FORMAT]),
  /** The public key of the signature at its end; null if unsigned. */
  signer: z.base64().length(44).nullable().default(null),
  migrations: z.array(z.object({ name: z.string(), appliedAt: z.number() })).min(1),
});
export type Header = z.output<typeof Header>;

/** Enough of any format, including later ones, to say who made it. */
export const AnyHeader = z.object({ krug: z.literal("backup"), format: z.int().positive(), version: z.string() });

export const TableLine = z.strictObject({ table: z.string(), columns: z.array(z.string()).min(1) });
export const EndLine = z.strictObject({
  end: z.strictObject({ rows: z.int(), sha256: z.string(), signature: z.base64().optional() }),
});

/** The text that is signed. */
export const signedText = (sha256: string) => `krug backup ${sha256}`;

export type Value = null | string | number | { bytes: string };
const isValue = (value: unknown): value is Value =>
  value === null ||
  typeof value === "string" ||
  typeof value === "number" ||
  (typeof value === "object" && "bytes" in value && typeof value.bytes === "string");
export const isRow = (line: unknown): line is Value[] => Array.isArray(line) && line.every(isValue);

export const lineOf = (value: unknown) => `${JSON.stringify(value)}\n`;
