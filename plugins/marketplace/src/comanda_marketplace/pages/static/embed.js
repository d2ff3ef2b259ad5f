// The bridge between this page and the app in its frame. Both sides check the other's origin: a message counts only if
// it comes from the app's origin and from the window of the frame, and answers are sent to that origin alone.

const MIN_HEIGHT = 100;
const MAX_HEIGHT = 10000;
const MAX_MESSAGE = 200;
const TOAST_MILLISECONDS = 5000;
const MAX_TOASTS = 3;

const frame = document.getElementById("app");
const toasts = document.getElementById("toasts");
const { origin: appOrigin, app: appId, csrf } = frame.dataset;

function reply(message) {
  frame.contentWindow.postMessage(message, appOrigin);
}

async function fetchSessionToken() {
  const response = await fetch(`/apps/${appId}/embed/session-token`, {
    method: "POST",
    body: new URLSearchParams({ csrf_token: csrf }),
    headers: { Accept: "application/json" },
    redirect: "error",
  });
  if (!response.ok) {
    throw new Error(`status ${response.status}`);
  }
  return response.json();
}

function toLocalUrl(path) {
  // Only a path of this host: "//other.example" and "https:…" lead elsewhere.
  if (typeof path !== "string" || !path.startsWith("/")) {
    return null;
  }
  const url = new URL(path, location.origin);
  return url.origin === location.origin ? url : null;
}

const actions = {
  ready() {
    reply({ type: "ready", app_id: Number(appId), language: document.documentElement.lang });
  },

  async "session-token"({ id }) {
    try {
      const { token, expires_in } = await fetchSessionToken();
      reply({ type: "session-token", id, token, expires_in });
    } catch {
      reply({ type: "session-token", id, error: "unavailable" });
    }
  },

  navigate({ path }) {
    const url = toLocalUrl(path);
    if (url) {
      location.assign(url);
    }
  },

  resize({ height }) {
    if (Number.isFinite(height)) {
      frame.style.height = `${Math.min(Math.max(Math.round(height), MIN_HEIGHT), MAX_HEIGHT)}px`;
    }
  },

  toast({ message, tone }) {
    if (typeof message !== "string" || !message.trim()) {
      return;
    }
    const shown = document.createElement("p");
    shown.textContent = message.slice(0, MAX_MESSAGE);
    shown.dataset.tone = tone === "error" ? "error" : "info";
    toasts.append(shown);
    while (toasts.childElementCount > MAX_TOASTS) {
      toasts.firstElementChild.remove();
    }
    setTimeout(() => shown.remove(), TOAST_MILLISECONDS);
  },
};

window.addEventListener("message", ({ origin, source, data }) => {
  if (origin !== appOrigin || source !== frame.contentWindow || typeof data !== "object" || data === null) {
    return;
  }
  if (Object.hasOwn(actions, data.type)) {
    actions[data.type](data);
  }
});

// The app may have been ready before this script was.
reply({ type: "ready", app_id: Number(appId), language: document.documentElement.lang });
