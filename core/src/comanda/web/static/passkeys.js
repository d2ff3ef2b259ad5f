// Passkeys. A page marks its form of passkeys:
//   <form data-passkey="get" data-action="/sign-in/passkey"> or <form data-passkey="create" data-action="/account/security/passkeys">
// The form has the fields to send along, a button, and an element with role="alert" for problems. It is hidden where the
// browser has no passkeys. With data-conditional the browser offers passkeys beside the field of the e-mail address.

const isSupported = window.isSecureContext && "PublicKeyCredential" in window;

const toBytes = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/").padEnd(Math.ceil(text.length / 4) * 4, "=")), (c) => c.charCodeAt(0));

const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

const withIds = (list) => (list || []).map((one) => ({ ...one, id: toBytes(one.id) }));

function toOptions(json, kind) {
  const options = { ...json, challenge: toBytes(json.challenge) };
  if (kind === "create") {
    options.user = { ...json.user, id: toBytes(json.user.id) };
    options.excludeCredentials = withIds(json.excludeCredentials);
  } else {
    options.allowCredentials = withIds(json.allowCredentials);
  }
  return options;
}

function toJson(credential) {
  const { response } = credential;
  const found = { clientDataJSON: toText(response.clientDataJSON) };
  for (const name of ["attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (response[name]) found[name] = toText(response[name]);
  }
  if (response.getTransports) found.transports = response.getTransports();
  return JSON.stringify({
    id: credential.id, rawId: toText(credential.rawId), type: credential.type, response: found,
    authenticatorAttachment: credential.authenticatorAttachment, clientExtensionResults: credential.getClientExtensionResults(),
  });
}

class Passkeys {
  constructor(form) {
    this.form = form;
    this.kind = form.dataset.passkey;
    this.problem = form.querySelector("[role=alert]");
    this.pending = null;
  }

  start() {
    this.form.hidden = false;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.run({});
    });
    if (this.form.hasAttribute("data-conditional")) this.offer();
  }

  async offer() {
    const check = PublicKeyCredential.isConditionalMediationAvailable;
    if (check && (await check.call(PublicKeyCredential))) await this.run({ mediation: "conditional" });
  }

  async run(extra) {
    this.pending?.abort();
    const pending = (this.pending = new AbortController());
    this.show("");
    try {
      const asked = await this.send("/options", {});
      if (!asked.options) return;
      const publicKey = toOptions(asked.options, this.kind);
      const credential = await navigator.credentials[this.kind]({ publicKey, signal: pending.signal, ...extra });
      await this.send("", { credential: toJson(credential) });
    } catch (error) {
      if (pending.signal.aborted || extra.mediation) return;
      this.show(error.name === "InvalidStateError" ? this.form.dataset.known : this.form.dataset.failed);
    }
  }

  async send(path, fields) {
    const body = new URLSearchParams({ ...Object.fromEntries(new FormData(this.form)), ...fields });
    const response = await fetch(this.form.dataset.action + path, { method: "POST", body, redirect: "error" });
    const answer = await response.json();
    if (answer.problem) this.show(answer.problem);
    if (answer.location) location.assign(answer.location);
    return answer;
  }

  show(text) {
    this.problem.textContent = text || "";
    this.problem.hidden = !text;
  }
}

if (isSupported) {
  for (const form of document.querySelectorAll("form[data-passkey]")) new Passkeys(form).start();
}
