const QUOTE = 0x22;
const COMMA = 0x2c;
const LIST = 0x5b;
const BACKSLASH = 0x5c;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

export interface ShapeBounds {
  /** How deep lists and objects may nest. */
  depth: number;
  /** Fields and list items together. */
  values: number;
}

/**
 * Scans a JSON text as it arrives, piece by piece, and reports a wrong shape as soon as it sees one; null until then. 27 MB
 * of `[[],[],…` take seconds and gigabytes to parse, yet pass any limit that lets a picture through. The parser decides
 * whether the text is JSON at all.
 */
export function watchShape(most: ShapeBounds): (piece: Uint8Array) => "tooDeep" | "tooManyValues" | null {
  let depth = 0;
  let values = 1;
  let inText = false;
  let escaped = false;
  return (piece) => {
    // In UTF-8 a byte of a multi-byte character never equals one of these.
    for (const byte of piece) {
      if (inText) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inText = false;
      } else if (byte === QUOTE) inText = true;
      else if (byte === COMMA) values += 1;
      else if (byte === LIST || byte === OBJECT) {
        values += 1;
        depth += 1;
        if (depth > most.depth) return "tooDeep";
      } else if (byte === LIST_END || byte === OBJECT_END) depth -= 1;
      if (values > most.values) return "tooManyValues";
    }
    return null;
  };
}
