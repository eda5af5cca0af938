/** The templates for new members: refetched when any of them changed. */
export const TEMPLATES = ["templates"] as const;
