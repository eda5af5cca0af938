import { Resolver } from "node:dns/promises";

/** What a name's addresses are: canonical as the resolver gives them. Null where nobody could say, empty where there are none. */
export interface FoundAddresses {
  v4: string[] | null;
  v6: string[] | null;
}

/** The resolver of the machine, as a port: names are asked for at the world outside. */
export interface Names {
  /** Never throws; answers within a few seconds. */
  find(name: string): Promise<FoundAddresses>;
}

/** Twice this and the wait between is the longest that somebody waits who adds a rule. */
const TIMEOUT_MS = 1_200;

/** Asks the resolvers of the machine (resolv.conf) for A and AAAA, and follows where a name is another's. */
export const systemNames: Names = {
  async find(name) {
    // A new one each time: it reads resolv.conf when it is made.
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
    const [v4, v6] = await Promise.all([orNull(resolver.resolve4(name)), orNull(resolver.resolve6(name))]);
    return { v4, v6 };
  },
};

/** That a name is unknown or has no such address is an answer; that nobody could say is none. */
const orNull = (asked: Promise<string[]>): Promise<string[] | null> =>
  asked.catch((error: NodeJS.ErrnoException) => (error.code === "ENOTFOUND" || error.code === "ENODATA" ? [] : null));
