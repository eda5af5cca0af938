const usage = `krug COMMAND

  create-admin NAME      create an admin; asks for the password
  reset-password NAME    set a member's password; asks for it, ends their sessions
  reset-2fa NAME         let a member set up two-factor authentication again
  reset-passkeys NAME    remove a member's passkeys, so that they sign in with the password; ends their sessions
  maintenance-off        turn maintenance off
  backup FILE            save the whole club to one encrypted file; asks for a passphrase
                         --recipient age1...    encrypt for the owner of an age key instead
                         --passphrase-file PATH take the passphrase from that file's first line
  backup --to-place      make a scheduled backup now: to the place and with the encryption that the environment sets, as the service's
                         user, and verify it there
  backups                list the backups in that place
  restore FILE           restore a backup into an empty DATA_DIR and database; asks for the passphrase
                         --identity PATH        use the age key that it was made for
                         --passphrase-file PATH
                         --mark MARK            accept only a backup of this club; backup prints the mark. Default: BACKUP_MARK
                         --restore-anyway       accept another club's backup, an unsigned one, or one whose name gives another time
  restore --from-place   restore the newest backup from the place that the environment names, or NAME. Uses BACKUP_PASSPHRASE_FILE
                         unless told otherwise
  rotate-key             create a new master key and seal every secret with it; the old key leaves the file
  check                  compare the database with files and machines, and report problems; changes nothing. Exits with 0: no
                         problems, 1: problems, 2: something could not be checked. Run it as the panel's user
                         --json                 for programs
  import                 which other VPN program is on this machine, its devices and what becomes of them; changes nothing
  import NAME            take it over: the panel goes on with its interface; if that does not answer, it returns
                         --new-members DAY      devices without a member become members, subscribed until this day, YYYY-MM-DD
                         --to LOGIN             or go to this member
                         --yes                  without asking
  import --back          bring the old program back
  import --keep          keep the import for good: it cannot go back any more
  support-bundle FILE    write one file that helps others find a fault; it has no names, texts, keys or addresses
  take-over              make this panel the club's current one again after another, restored from a backup, took its place
  remove-tunnels         remove this panel's interfaces and firewall from this machine; the next start brings them back

It works on the panel's own database, whose place it prints. The panel may be running, except during a restore. If
npm start runs the panel, run npm run krug -- COMMAND in the repository's folder. docs/operating.md, 'The command line'.`;

/** What the command line says, but for what `check` finds (`check/words-en.ts`). */
export const cliWordsEn = {
  usage,
  noCommand: (name: string) => `There is no command ${name}.`,
  database: (place: string) => `Database: ${place}`,
  password: "Password",
  passphrase: "Passphrase",
  again: "Again",
  yesOrNo: "(yes/no)",
  adminMade: (name: string) => `Admin ${name} created.`,
  passwordSet: (name: string) => `The password of ${name} was changed and their sessions have ended.`,
  twoFactorReset: (name: string) => `${name} sets up two-factor authentication at the next sign-in.`,
  passkeysReset: (name: string) => `The passkeys of ${name} were removed and their sessions have ended.`,
  maintenanceOff: "Maintenance is off.",
  newKey: (file: string) => `The new key is in ${file}, above the old one.`,
  resealed: (count: number) => `${count} sealed again.`,
  rotated: (id: string, count: number, file: string) =>
    `Everything is sealed with key ${id}, ${count} now; ${file} holds only this key. Copy it to where you keep it. Earlier copies of the database need the earlier key.`,
  leftSealed: (places: readonly string[]) =>
    `Opened by no key and left as they are: ${places.length} (${places.join(", ")}).`,
  tookOver:
    "This panel is the club's current one again: its servers obey only this panel from their next contact on. Restart it if it runs.",
  tunnelsRemoved: (peers: number) =>
    `This panel's interfaces are gone from this machine, and their peers with them: ${peers}. The database is as it was.`,
  fileThere: (file: string) => `The file ${file} already exists.`,
  bundle: (file: string, bytes: number) =>
    `${file} holds ${bytes} bytes: the check's findings, versions, which variables are set, and how many rows each table has. Read it before you share it: gzip -dc ${file}`,
  recipient: {
    other: "--recipient is not an age key.",
    unreadable: "--recipient is not an age key: it begins with age1, and age-keygen makes it.",
  },
  backedUp: (file: string, bytes: number, sha256: string) =>
    `${file} holds the club: ${bytes} bytes, SHA-256 ${sha256}.`,
  opensWith: {
    passphrase: "Without the passphrase nobody can open it, not even you.",
    identity: "Without the key's identity nobody can open it, not even you.",
  },
  mark: (mark: string) =>
    `This club signed it with its mark ${mark}. Keep the mark as BACKUP_MARK outside DATA_DIR, and a restore asks before it accepts another club's backup.`,
  unsigned: (expected: string) => `It is not signed, so nobody knows whether this club (${expected}) made it.`,
  otherClub: (mark: string, expected: string) =>
    `Another club made it: its mark is ${mark}, and ${expected} is expected.`,
  misnamed: (madeAt: string) => `Its name gives another time than when it was made: ${madeAt}.`,
  restoreAnyway: "Nothing was restored. --restore-anyway restores it anyway.",
  restoreAll: "Restore it anyway?",
  nothingRestored: "Nothing was restored.",
  madeByNobody: "It is not signed, as backups of earlier versions are: nobody can tell who made it.",
  madeBy: (mark: string) => `The club ${mark} made it.`,
  restored: (madeAt: string, version: string, place: string) =>
    `The club of ${madeAt} (version ${version}) is in ${place}.`,
  afterRestore:
    "Everybody signs in again. Once this panel is started, the club's servers obey it and no older one; stop the older one anyway. Devices created since the backup stay connected until an admin decides about them. Devices deleted since are back: look through the list.",
  noPlace: "The environment names no place for backups: set BACKUP_DIR, BACKUP_SFTP or BACKUP_S3.",
  notAsService:
    "The service does not run here, so its user was tried, but not its unit's limits. After it starts, krug check says whether it makes backups.",
  proven: (file: string, bytes: number, isTried: boolean) =>
    `${file} holds the club: ${bytes} bytes, read back${isTried ? " and restored into a temporary database" : ""}.`,
  noBackups: (place: string) => `There are no backups in ${place}.`,
  bytes: (bytes: number) => `${bytes} bytes`,
  notInPlace: (name: string | null, place: string) =>
    `There is no ${name ?? "backup"} in ${place}. Nothing was restored. krug backups lists what is there.`,
  from: (name: string, place: string) => `${name} from ${place}.`,
  noIdentity: (path: string) => `${path} holds no age identity: a line that begins with AGE-SECRET-KEY-1.`,
  shortPassphrase: (least: number) =>
    `The passphrase must have at least ${least} characters: take four unrelated words.`,
  passphrasesDiffer: "The two passphrases differ. Nothing was written.",
};

export type CliWords = typeof cliWordsEn;
