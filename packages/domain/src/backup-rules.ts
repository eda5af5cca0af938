/** Characters. A stolen file can be guessed at without limit, so this is longer than a password. */
export const BACKUP_PASSPHRASE_MIN = 16;
