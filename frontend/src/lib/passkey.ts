import { t } from '@lingui/core/macro';

/** Passkeys (WebAuthn) with JSON options and responses. */

/** IP addresses cannot have passkeys. */
const NUMBERS = /^[\d.]+$|^\[/;

/** Return whether this browser supports passkeys at this address; false while prerendering. */
export function hasPasskeys(): boolean {
  return (
    typeof window !== 'undefined' &&
    !NUMBERS.test(window.location.hostname) &&
    'PublicKeyCredential' in window &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential
  );
}

/** The options of the server, and the response of the browser. */
type Json = Record<string, unknown>;

/** Create a passkey. */
export function createPasskey(options: Json): Promise<Json> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  return toJson(navigator.credentials.create({ publicKey }));
}

/** Sign with a passkey. */
export function signWithPasskey(options: Json): Promise<Json> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  return toJson(navigator.credentials.get({ publicKey }));
}

/**
 * The browser returned no passkey: a timeout, none available, or cancelled by the user, which it
 * does not distinguish.
 */
export class PasskeyError extends Error {}

async function toJson(request: Promise<Credential | null>): Promise<Json> {
  try {
    const credential = await request;
    if (credential) return { ...(credential as PublicKeyCredential).toJSON() };
  } catch (error) {
    // The device already has a passkey for this account.
    if (error instanceof DOMException && error.name === 'InvalidStateError') {
      throw new PasskeyError(t`This device already has a passkey for your account.`);
    }
  }
  throw new PasskeyError(t`No passkey was used. Please try again.`);
}
