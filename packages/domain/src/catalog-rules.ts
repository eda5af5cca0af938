/** Networks of a service after merging; the list itself may be longer. */
export const MOST_NETWORKS = 5_000;
export const MOST_RESOLVERS = 8;
/** Characters of a list as typed: about 100,000 lines. */
export const MOST_LETTERS = 2_000_000;
/** Entries of a typed list that the panel will parse. */
export const MOST_TYPED = { service: 20_000, dns: 64 } as const;
