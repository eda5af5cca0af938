/** Everything about access rules: asked again after any change. Apart, so that hearing of changes loads no screen. */
export const RULES = ["rules"] as const;
