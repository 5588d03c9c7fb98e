/* Loaded by the service worker: shows what the server pushed, and leads to what it speaks of. */
self.addEventListener("push", (event) => {
  let said;
  try {
    said = event.data.json();
  } catch {
    return;
  }
  event.waitUntil(
    self.registration.showNotification(String(said.title), {
      body: String(said.body),
      tag: String(said.tag),
      icon: "/icons/icon-192.png",
      badge: "/icons/badge-96.png",
      data: { route: String(said.route) },
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { route } = event.notification.data ?? {};
  const address = typeof route === "string" && route.startsWith("/pages/") ? `/#${route}` : "/";
  event.waitUntil(
    (async () => {
      const [open] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
      if (!open) return self.clients.openWindow(address);
      await open.focus();
      return open.navigate(address);
    })(),
  );
});
