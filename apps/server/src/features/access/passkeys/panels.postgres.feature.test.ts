import { expect, onTestFinished, test } from "vitest";
import { addPasskey, makeAuthenticator, PASSKEY_PLACE } from "../../../../testing/passkey-double.ts";
import { startClub } from "../../../../testing/start-club.ts";

test("what one panel of the club asked is answered at another, once", async () => {
  const club = await startClub({ localServer: "off", environment: { PUBLIC_URL: PASSKEY_PLACE.origin } });
  onTestFinished(() => club.stop());
  const owner = await club.member();
  const device = makeAuthenticator(PASSKEY_PLACE);
  await addPasskey(club, owner, device);
  const other = await club.otherPanel();
  const body = device.get((await club.guest.call("POST /auth/passkey/options")).body);
  const there = await other.as(owner).call("POST /auth/passkey", { body });
  const here = await club.guest.call("POST /auth/passkey", { body });
  await other.stop();
  expect(there.body.user.id).toBe(owner.id);
  expect(here.code).toBe("passkey.not_accepted");
});
