/** Key of everything about access rules: refetched after any change. In its own file, so that subscribing to changes loads no screen. */
export const RULES = ["rules"] as const;
