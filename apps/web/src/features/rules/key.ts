/** Everything about access rules: asked again after any change. Apart, so that whoever hears of changes loads no screen. */
export const RULES = ["rules"] as const;
