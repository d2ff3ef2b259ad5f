// Who is signed in on this store's page. The session is in a cookie that scripts cannot read; this is what the server
// tells of it, and what guests change in their account.
import { shop } from "./menu.js";

const place = `comanda.account.${shop.store}`;
const changed = new EventTarget();
const NOBODY = { customer: null, cart: null, addresses: [] };
let current = NOBODY;

export const hasAccounts = shop.accounts === true;
export const customer = () => current.customer;
export const addresses = () => current.addresses;
export const savedCart = () => current.cart;
export const onAccount = (listener) => changed.addEventListener("change", listener);

// Guests who never signed in here are not asked about.
function mayBeSignedIn() {
  try {
    return localStorage.getItem(place) !== null;
  } catch {
    return true;
  }
}

function remember(isSignedIn) {
  try {
    if (isSignedIn) localStorage.setItem(place, "1");
    else localStorage.removeItem(place);
  } catch {
    // Without storage the server is asked each time.
  }
}

export function set(account) {
  current = account;
  remember(account.customer !== null);
  changed.dispatchEvent(new Event("change"));
}

// Sends a call of the account; `status` 0 means that there was no answer.
export async function call(method, path = "", body = undefined, options = {}) {
  try {
    const answer = await fetch(`/s/${shop.slug}/account${path}`, {
      method, ...options, ...(body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
    const document = await answer.json();
    if (answer.status === 401 && current.customer) set(NOBODY);
    return { status: answer.status, document };
  } catch {
    return { status: 0, document: {} };
  }
}

export async function load() {
  if (!hasAccounts || !mayBeSignedIn()) return;
  const { status, document } = await call("GET");
  if (status === 200) set(document);
}

// Ends the session; what the guest has entered goes with it, for others may use this browser.
export async function signOut() {
  const { status } = await call("DELETE", "/session");
  if (status !== 200) return false;
  set(NOBODY);
  return true;
}

export async function rename(name) {
  const { status, document } = await call("PUT", "/profile", { name });
  if (status === 200) set({ ...current, customer: document.customer });
  return { status, document };
}

export async function saveAddress(address, options = {}) {
  const { status, document } = await call("POST", "/addresses", address, options);
  // One that was saved before is not saved again.
  if (status === 201) set({ ...current, addresses: [document, ...current.addresses.filter(({ id }) => id !== document.id)] });
  return { status, document };
}

export async function changeAddress(id, change) {
  const { status } = await call("PUT", `/addresses/${id}`, change);
  if (status === 200) await load();
  return status;
}

export async function deleteAddress(id) {
  const { status, document } = await call("DELETE", `/addresses/${id}`);
  if (status === 200) set({ ...current, addresses: document.addresses });
  return status;
}

// Another tab has signed in or out.
addEventListener("storage", (event) => {
  if (event.key !== place) return;
  if (event.newValue === null) set(NOBODY);
  else load();
});
