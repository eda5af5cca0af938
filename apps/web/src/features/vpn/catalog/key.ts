/** Key of services and DNS entries: refetched after any change of one of them. In its own file, as the key of rules is. */
export const CATALOG = ["catalog"] as const;
