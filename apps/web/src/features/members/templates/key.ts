/** The templates for new members: asked again when any of them changed. */
export const TEMPLATES = ["templates"] as const;
