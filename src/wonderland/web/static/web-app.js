// Service workers, which make Wonderland an app: registered once there is nothing else to do. Browsers offer them on secure
// origins only, such as this computer's own.

const whenIdle = window.requestIdleCallback ?? setTimeout;

// The shell's own comes first; the others, which fetch more, are left to the home page.
export function registerServiceWorker() {
  const [shell] = document.body.dataset.serviceWorkers.split(" ");
  const register = () => navigator.serviceWorker.register(shell, { updateViaCache: "none" }).catch(() => {});
  if (navigator.serviceWorker) addEventListener("load", () => whenIdle(register));
}

// Shows a notification that leads to this page. Phones allow it only through a service worker.
export async function notify(title, options) {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration?.active) return registration.showNotification(title, { ...options, data: location.href.split("#")[0] });
  const notification = new Notification(title, options);
  notification.onclick = () => {
    window.focus();
    notification.close();
  };
}

// Marks the icon of the installed app while it is the player's turn.
export function showBadge(isMine) {
  if (isMine) navigator.setAppBadge?.().catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}
