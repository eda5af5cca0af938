/** Characters. Whoever has the file can guess as long as he likes, so it is longer than a password. */
export const BACKUP_PASSPHRASE_MIN = 16;
