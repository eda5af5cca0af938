/** Characters. Whoever has the file can guess for as long as they like, so it is longer than a password. */
export const BACKUP_PASSPHRASE_MIN = 16;
