/** Networks of a service, as they merge; a list is longer than what it comes to. */
export const MOST_NETWORKS = 5_000;
export const MOST_RESOLVERS = 8;
/** Of a list as somebody typed it: 100,000 lines. */
export const MOST_LETTERS = 2_000_000;
/** Entries of a list that is read at all. */
export const MOST_TYPED = { service: 20_000, dns: 64 } as const;
