/** The place that was wanted before the login: one of our own screens, never another site; home otherwise. */
export function placeAfterLogin(next: string | undefined): string {
  return next?.startsWith("/pages/") && !next.startsWith("/pages/index/") ? next : "/pages/home/index";
}
