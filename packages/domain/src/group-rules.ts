/** More groups than a list of choices stays readable with. */
export const MOST_GROUPS = 100;
export const MOST_GROUP_NAME_LETTERS = 40;
/** Interfaces of one group; a club has tens at most. */
export const MOST_GROUP_INTERFACES = 100;

/** Names are unique without regard to case, in any script. */
export const groupKey = (name: string) => name.trim().normalize("NFC").toLowerCase();
