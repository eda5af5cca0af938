/** Lines of a file of members in one call, so that nobody waits long for it. */
export const MOST_LINES_AT_ONCE = 500;
