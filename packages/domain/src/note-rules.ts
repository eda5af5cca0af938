/** Characters a note on a member may have. */
export const MOST_NOTE_LETTERS = 2_000;
/** Notes one member may have. */
export const MOST_NOTES = 100;
