const usage = `krug COMMAND

  create-admin NAME      make an admin; asks for the password
  reset-password NAME    set a member's password; asks for it, ends their sessions
  reset-2fa NAME         let a member set up two-factor authentication again
  maintenance-off        end the maintenance
  backup FILE            everything of the club in one encrypted file; asks for a passphrase
                         --recipient age1...    for the owner of an age key instead
                         --passphrase-file PATH with the passphrase in that file's first line
  backup --to-place      one as by the clock: to the place that the environment names, encrypted as it says, as the service's user,
                         and proven there
  backups                what is in that place
  restore FILE           a backup into an empty DATA_DIR and database; asks for the passphrase
                         --identity PATH        with the age key that it was made for
                         --passphrase-file PATH
                         --mark MARK            of the club that has to have made it, as backup prints it; else BACKUP_MARK's
                         --restore-anyway       also another club's, an unsigned one, or one whose name says another time
  restore --from-place   the newest from the place that the environment names; with a NAME, that one. Takes BACKUP_PASSPHRASE_FILE
                         unless told otherwise
  rotate-key             make a new master key and seal every secret with it; the old one leaves the file
  check                  compare the database with files and machines, and say what is off; it changes nothing. Ends with 0: all is
                         well, 1: something is off, 2: something could not be checked. Run it as the user that the panel runs as
                         --json                 for programs
  support-bundle FILE    what helps others to find a fault, as one file: no names, texts, keys or addresses
  take-over              make this panel the club's current one again, where another, restored from a backup, has taken its place
  remove-tunnels         take this panel's interfaces and firewall off this machine; the next start brings them back

It works on the panel's own database, which it names, and the panel may be running, except for a restore. Where
npm start runs the panel: npm run krug -- COMMAND, in the repository's folder. docs/operating.md, 'The command line'.`;

/** What the command line says, but for what `check` finds (`check/words-en.ts`). */
export const cliWordsEn = {
  usage,
  noCommand: (name: string) => `There is no command ${name}.`,
  database: (place: string) => `Database: ${place}`,
  password: "Password",
  passphrase: "Passphrase",
  again: "Again",
  yesOrNo: "(yes/no)",
  adminMade: (name: string) => `Admin ${name} made.`,
  passwordSet: (name: string) => `The password of ${name} is changed and their sessions are ended.`,
  twoFactorReset: (name: string) => `${name} sets up two-factor authentication at the next entry.`,
  maintenanceOff: "Maintenance is off.",
  newKey: (file: string) => `The new key is in ${file}, before the old one.`,
  resealed: (count: number) => `${count} sealed again.`,
  rotated: (id: string, count: number, file: string) =>
    `Everything is sealed with key ${id}, ${count} now; ${file} holds it alone. Copy it to where you keep it. Copies of the database from before need the key from before.`,
  leftSealed: (places: readonly string[]) => `${places.length} open with no key and were left: ${places.join(", ")}.`,
  tookOver:
    "This panel is the club's current one again: its servers obey it from their next contact on, and no other panel. Restart it if it runs.",
  tunnelsRemoved: (peers: number) =>
    `This panel's interfaces are gone from this machine, with ${peers} peers. The database is as it was.`,
  fileThere: (file: string) => `There is a file ${file} already.`,
  bundle: (file: string, bytes: number) =>
    `${file} holds ${bytes} bytes: what the check says, versions, which variables are set, and how many rows each table has. Read it before you pass it on: gzip -dc ${file}`,
  recipient: {
    other: "--recipient is not an age key.",
    unreadable: "--recipient is not an age key: it begins with age1 and is made by age-keygen.",
  },
  backedUp: (file: string, bytes: number, sha256: string) =>
    `${file} holds the club: ${bytes} bytes, SHA-256 ${sha256}.`,
  opensWith: {
    passphrase: "Without the passphrase nobody opens it, you neither.",
    identity: "Without the key's identity nobody opens it, you neither.",
  },
  mark: (mark: string) =>
    `It is signed by this club, whose mark is ${mark}: keep it as BACKUP_MARK where DATA_DIR is not, and a restore asks before it takes another club's.`,
  unsigned: (expected: string) => `It is not signed, so nobody knows whether this club (${expected}) made it.`,
  otherClub: (mark: string, expected: string) =>
    `Another club made it: its mark is ${mark}, and ${expected} is expected.`,
  misnamed: (madeAt: string) => `Its name says another time than it was made: ${madeAt}.`,
  restoreAnyway: "Nothing was restored. With --restore-anyway it is restored all the same.",
  restoreAll: "Restore it all the same?",
  nothingRestored: "Nothing was restored.",
  madeByNobody: "It is not signed, as backups of earlier versions are: nobody can tell who made it.",
  madeBy: (mark: string) => `The club ${mark} made it.`,
  restored: (madeAt: string, version: string, place: string) =>
    `The club of ${madeAt} (version ${version}) is in ${place}.`,
  afterRestore:
    "Everybody signs in again. Once this panel is started, the club's servers obey it and no older one; stop that one all the same. Devices that were made since the backup stay connected until an admin decides about them; devices that were deleted since are there again: look through the list.",
  noPlace: "The environment names no place for backups: BACKUP_DIR, BACKUP_SFTP or BACKUP_S3 does.",
  notAsService:
    "The service does not run here: its user was tried, and not what its unit allows. After its start, krug check says whether it makes backups.",
  proven: (file: string, bytes: number, isTried: boolean) =>
    `${file} holds the club: ${bytes} bytes, read back${isTried ? " and restored into a database that was thrown away" : ""}.`,
  noBackups: (place: string) => `There are no backups in ${place}.`,
  bytes: (bytes: number) => `${bytes} bytes`,
  notInPlace: (name: string | null, place: string) =>
    `There is no ${name ?? "backup"} in ${place}. Nothing was restored. The command backups shows what is there.`,
  from: (name: string, place: string) => `${name} from ${place}.`,
  noIdentity: (path: string) => `${path} holds no age identity: a line that begins with AGE-SECRET-KEY-1.`,
  shortPassphrase: (least: number) =>
    `The passphrase has ${least} characters or more: four words that have nothing to do with each other.`,
  passphrasesDiffer: "The two passphrases differ. Nothing was written.",
};

export type CliWords = typeof cliWordsEn;
