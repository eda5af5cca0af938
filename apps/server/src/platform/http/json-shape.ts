const QUOTE = 0x22;
const COMMA = 0x2c;
const LIST = 0x5b;
const BACKSLASH = 0x5c;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

export interface ShapeBounds {
  /** How deep lists and objects may stand in each other. */
  depth: number;
  /** Fields and items of lists together. */
  values: number;
}

/**
 * Looks at a JSON text while it comes in, a piece at a time, and says what is wrong with its shape as soon as that is seen;
 * null until then. 27 MB of `[[],[],…` take seconds and gigabytes to parse, and fit in any limit that a picture fits in. Whether
 * the text is JSON at all is the parser's to say.
 */
export function watchShape(most: ShapeBounds): (piece: Uint8Array) => "tooDeep" | "tooManyValues" | null {
  let depth = 0;
  let values = 1;
  let inText = false;
  let escaped = false;
  return (piece) => {
    // UTF-8: a byte of a longer character is never one of these.
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
