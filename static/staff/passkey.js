// The passkey button of the staff site's second step: the browser signs, the form carries the answer.
'use strict';
{
  const button = document.getElementById('use-passkey');
  const refused = document.getElementById('passkey-refused');
  const form = document.getElementById('login-form');

  async function sign() {
    refused.hidden = true;
    try {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(button.dataset.options));
      form.elements.passkey.value = JSON.stringify(await navigator.credentials.get({ publicKey }));
      form.submit();
    } catch {
      refused.hidden = false;
    }
  }

  if (window.PublicKeyCredential && 'parseRequestOptionsFromJSON' in PublicKeyCredential) {
    button.hidden = false;
    button.addEventListener('click', sign);
  }
}
