// The passkey button of the staff site's second step: the browser signs, the form carries the answer.
'use strict';
{
  const button = document.getElementById('use-passkey');
  const refused = document.getElementById('passkey-refused');
  const form = document.getElementById('login-form');

  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');

  async function sign() {
    refused.hidden = true;
    const asked = JSON.parse(button.dataset.options);
    const publicKey = {
      ...asked,
      challenge: bytes(asked.challenge),
      allowCredentials: asked.allowCredentials.map((one) => ({ ...one, id: bytes(one.id) })),
    };
    try {
      const { id, rawId, type, response } = await navigator.credentials.get({ publicKey });
      form.elements.passkey.value = JSON.stringify({
        id,
        rawId: text(rawId),
        type,
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(response.clientDataJSON),
          authenticatorData: text(response.authenticatorData),
          signature: text(response.signature),
          userHandle: response.userHandle ? text(response.userHandle) : null,
        },
      });
      form.submit();
    } catch {
      refused.hidden = false;
    }
  }

  if (window.PublicKeyCredential) {
    button.hidden = false;
    button.addEventListener('click', sign);
  }
}
