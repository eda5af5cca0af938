/** Key of exits: refetched after any change of a server. In its own file, as the key of rules is. */
export const EXITS = ["exits"] as const;
