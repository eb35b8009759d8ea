/** Passkeys (WebAuthn), as the browser brings them: options come as JSON, and so does the answer. */

/** An address of numbers can't have passkeys. */
const NUMBERS = /^[\d.]+$|^\[/;

/** Return whether this browser has passkeys, at this address; where pages are drawn beforehand there is none. */
export function hasPasskeys(): boolean {
  return (
    typeof window !== 'undefined' &&
    !NUMBERS.test(window.location.hostname) &&
    'PublicKeyCredential' in window &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential
  );
}

/** What the server sends for a ceremony, and what the browser sends back. */
type Json = Record<string, unknown>;

/** Have the browser make a passkey. */
export function createPasskey(options: Json): Promise<Json> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return toJson(navigator.credentials.create({ publicKey }));
}

/** Have the browser sign with a passkey. */
export function signWithPasskey(options: Json): Promise<Json> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  return toJson(navigator.credentials.get({ publicKey }));
}

/** The browser gave no passkey: nobody answered, there is none, or the person said no. It does not tell which. */
export class PasskeyError extends Error {}

async function toJson(request: Promise<Credential | null>): Promise<Json> {
  try {
    const credential = await request;
    if (credential) return { ...(credential as PublicKeyCredential).toJSON() };
  } catch (error) {
    // The device knows a passkey of this account already.
    if (error instanceof DOMException && error.name === 'InvalidStateError') {
      throw new PasskeyError('This device has a passkey for your account already.');
    }
  }
  throw new PasskeyError('No passkey was used. Please try again.');
}
