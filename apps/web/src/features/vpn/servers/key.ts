/** Key of servers and their interfaces: refetched after any change of one of them. In its own file, as the key of rules is. */
export const SERVERS = ["servers"] as const;
