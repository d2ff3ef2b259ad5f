// Push messages about orders: the worker shows each, and leads to the order's page.
addEventListener("install", () => skipWaiting());

addEventListener("push", (event) => {
  const { title, text, data } = event.data.json();
  // A later message about the order takes the place of the one before.
  event.waitUntil(registration.showNotification(title, { body: text, icon: "/own/icon-192.png", tag: data?.link, renotify: Boolean(data?.link), data }));
});

async function openOrder(link) {
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find(({ url }) => url.split(/[?#]/)[0] === link);
  return page ? page.focus() : clients.openWindow(link);
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  const link = event.notification.data?.link;
  if (link) event.waitUntil(openOrder(link));
});
