/** What another machine answered, decompressed: a few bytes of gzip may be many. Null, and the answer ended, if it has more than `most`. */
export async function answerBytes({ body }: Response, most: number): Promise<Buffer | null> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    // Leaving the loop ends the answer.
    if (bytes > most) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
