import { hash, verify } from "@node-rs/argon2";

/** OWASP's second choice for argon2id: 19 MiB, 2 passes, 1 lane; some 20 ms. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
/** The package's number for argon2id; its enum is not there at run time. */
const ARGON2ID = 2;

/** A well-formed hash that no password has: an unknown name costs the same time as a wrong password. */
const NOBODYS_HASH = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** Keyboards write й or é as one code or as two; it is the same password. */
const canonical = (password: string) => password.normalize("NFC");

/** argon2id in the PHC format, with its salt and parameters. Slow on purpose: call it before `transact`, never inside. */
export const hashPassword = (password: string): Promise<string> =>
  hash(canonical(password), {
    algorithm: ARGON2ID,
    memoryCost: MEMORY_KIB,
    timeCost: PASSES,
    parallelism: LANES,
  });

/** Whether this is the password. Without a hash (nobody has this name, or no password was set yet) no, in the same time. */
export const isPassword = async (passwordHash: string | null, password: string): Promise<boolean> =>
  (await verify(passwordHash ?? NOBODYS_HASH, canonical(password))) && passwordHash !== null;
