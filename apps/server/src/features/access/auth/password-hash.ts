import { hash, verify } from "@node-rs/argon2";
import { makeLimiter } from "../../../platform/limiter.ts";
import { refuse } from "../../../platform/refusal.ts";

export interface PasswordCost {
  memoryKib: number;
  passes: number;
}

/** OWASP's second choice for argon2id: 19 MiB, 2 passes, 1 lane; about 20 ms. */
export const SAFE_COST: PasswordCost = { memoryKib: 19_456, passes: 2 };
const LANES = 1;
/** The package's number for argon2id; its enum is not there at run time. */
const ARGON2ID = 2;

/** Keyboards write й or é as one code point or as two; it is the same password. */
const canonical = (password: string) => password.normalize("NFC");

/** Out of Node's four worker threads; the others stay free to read files. */
const AT_ONCE = 2;
/** A few seconds of work. Later callers must try again, so that waiting ones do not fill the memory. */
const MOST_WAITING = 200;
const RETRY_AFTER_S = 5;

const turns = makeLimiter(AT_ONCE, MOST_WAITING);
const limited = async <Result>(work: () => Promise<Result>): Promise<Result> =>
  ((await turns(work)) ?? refuse("request.too_many", { seconds: RETRY_AFTER_S })).result;

export type PasswordHashing = ReturnType<typeof makePasswordHashing>;

export function makePasswordHashing({ memoryKib, passes }: PasswordCost = SAFE_COST) {
  /** A well-formed hash that matches no password: an unknown name costs the same time as a wrong password. */
  const nobodysHash = `$argon2id$v=19$m=${memoryKib},t=${passes},p=${LANES}$${"A".repeat(22)}$${"A".repeat(43)}`;

  return {
    /** argon2id in the PHC format, with its salt and parameters. Slow on purpose: call it before `transact`, never inside. */
    hashPassword: (password: string): Promise<string> =>
      limited(() =>
        hash(canonical(password), {
          algorithm: ARGON2ID,
          memoryCost: memoryKib,
          timeCost: passes,
          parallelism: LANES,
        }),
      ),

    /** Whether the password matches. Without a hash (unknown name, or no password set yet): no, after the same time. */
    isPassword: async (passwordHash: string | null, password: string): Promise<boolean> =>
      (await limited(() => verify(passwordHash ?? nobodysHash, canonical(password)))) && passwordHash !== null,
  };
}
